package dev.cleave.agent.guest;

import dev.cleave.agent.conformance.ProgramMain;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.ProtectionDomain;
import java.util.HexFormat;

/**
 * Another agent, as profilers and debuggers bring them, and a program: it sees what we make of a class, has the class
 * retransformed several times between runs, and redefines it to what it was.
 */
public final class RetransformingMain {

    private static final String CLASS = "p/Guest";

    private static Instrumentation instrumentation;

    private RetransformingMain() {}

    /** Listens behind all transformers that are there. */
    public static void premain(String arguments, Instrumentation given) {
        instrumentation = given;
        given.addTransformer(
                new ClassFileTransformer() {
                    @Override
                    public byte[] transform(
                            ClassLoader loader, String name, Class<?> type, ProtectionDomain domain, byte[] bytes) {
                        if (CLASS.equals(name)) {
                            System.out.println("saw " + digest(bytes));
                        }
                        return null;
                    }
                },
                true);
    }

    /** Runs the program as it is loaded, three times retransformed, and redefined. */
    public static void main(String[] args) throws Exception {
        ProgramMain.main(args);
        Class<?> type = Class.forName(CLASS.replace('/', '.'));
        for (int i = 0; i < 3; i++) {
            instrumentation.retransformClasses(type);
            ProgramMain.main(args);
        }
        byte[] written = type.getResourceAsStream("/" + CLASS + ".class").readAllBytes();
        instrumentation.redefineClasses(new ClassDefinition(type, written));
        ProgramMain.main(args);
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
