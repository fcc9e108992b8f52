package dev.cleave.agent.premain;

import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RmiMention;
import dev.cleave.agent.transform.RmiRewriter;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Lets classes that use {@code java.rmi} use Cleave, unless {@code -Dcleave.rmi=off}. The rewriter is loaded with the
 * first such class. Safe for use by any thread.
 */
final class RmiPrograms {

    private static final String PROPERTY = "cleave.rmi";

    private final Predicate<ClassLoader> seesCore;
    private final BooleanSupplier core;
    private final Consumer<String> messages;
    private final boolean isOff = "off".equals(System.getProperty(PROPERTY));
    private boolean told; // guarded by this

    /**
     * Creates the rewriter of a program.
     *
     * @param seesCore whether the classes of a loader can call the core
     * @param core brings the core to a program that has none; false if there is none to bring
     */
    RmiPrograms(Predicate<ClassLoader> seesCore, BooleanSupplier core, Consumer<String> messages) {
        this.seesCore = seesCore;
        this.core = core;
        this.messages = messages;
    }

    /** Whether a class uses RMI and is to be rewritten. */
    boolean concerns(byte[] classFile) {
        return !isOff && RmiMention.isIn(classFile);
    }

    /** Returns the class as it uses Cleave; null if it stays as it is. */
    byte @Nullable [] rewritten(ClassLoader loader, byte[] classFile) {
        if (!concerns(classFile)) {
            return null;
        }
        Function<String, byte @Nullable []> files = new Function<>() {
            @Override
            public byte @Nullable [] apply(String name) {
                return ClassFileSource.ofResources(loader, name);
            }
        };
        byte[] rewritten = new RmiRewriter(files).rewritten(classFile);
        if (rewritten == null) {
            return null;
        }
        if (!seesCore.test(loader) && !(core.getAsBoolean() && seesCore.test(loader))) {
            tell();
            return null;
        }
        return rewritten;
    }

    private synchronized void tell() {
        if (!told) {
            told = true;
            messages.accept("cleave agent: java.rmi is left as it is: cleave-core is not on the class path"
                    + " (add it, or attach cleave-rmi-agent in place of cleave-agent)");
        }
    }
}
