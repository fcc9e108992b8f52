package dev.cleave;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The build gives lambdas that each start of a program runs class files of their own. */
@Tag("one-jdk")
class LambdaClassesTest {

    private static final Path LIST = Path.of("src", "lambdas", "start.txt");

    @Test
    void classesOfTheListLinkNoLambdas() throws IOException {
        List<String> lines = Files.readAllLines(LIST);
        List<String> linking = new ArrayList<>();
        for (String line : lines) {
            String name = line.replaceFirst(" .*", "");
            if (linksLambdas(name)) {
                linking.add(name);
            }
        }

        assertTrue(lines.size() > 50, lines.toString());
        assertEquals(List.of(), linking, "run the build, not the compiler alone");
    }

    @Test
    void theJvmVerifiesAllClassesOfLambdas() throws ReflectiveOperationException, IOException, URISyntaxException {
        Path folder = Path.of(
                Cleave.class.getProtectionDomain().getCodeSource().getLocation().toURI());
        List<String> names = new ArrayList<>();
        try (Stream<Path> files = Files.walk(folder)) {
            files.map(file -> folder.relativize(file).toString())
                    .filter(file -> file.contains("$$Lambda$") && file.endsWith(".class"))
                    .map(file -> file.replaceAll("[/\\\\]", ".").replaceFirst("\\.class$", ""))
                    .forEach(names::add);
        }

        for (String name : names) {
            Class<?> lambda = Class.forName(name, true, LambdaClassesTest.class.getClassLoader());

            assertEquals(1, lambda.getInterfaces().length, name);
            assertTrue(lambda.getNestHost() != lambda, name);
        }
        assertTrue(names.size() > 200, names.toString());
    }

    @Test
    void theCheckFindsLambdas() throws IOException {
        Runnable lambda = () -> {};

        assertTrue(linksLambdas(LambdaClassesTest.class.getName()), lambda.toString());
    }

    private static boolean linksLambdas(String name) throws IOException {
        boolean[] found = {false};
        try (InputStream in = LambdaClassesTest.class.getResourceAsStream('/' + name.replace('.', '/') + ".class")) {
            assertTrue(in != null, name);
            ClassVisitor visitor = new ClassVisitor(Opcodes.ASM9) {
                @Override
                public MethodVisitor visitMethod(
                        int access, String method, String descriptor, String signature, String[] thrown) {
                    return new MethodVisitor(Opcodes.ASM9) {
                        @Override
                        public void visitInvokeDynamicInsn(
                                String called, String site, Handle bootstrap, Object... arguments) {
                            found[0] |= bootstrap.getOwner().equals("java/lang/invoke/LambdaMetafactory")
                                    && bootstrap.getName().equals("metafactory");
                        }
                    };
                }
            };
            new ClassReader(in).accept(visitor, 0);
        }
        return found[0];
    }
}
