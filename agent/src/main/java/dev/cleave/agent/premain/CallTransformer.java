package dev.cleave.agent.premain;

import dev.cleave.agent.transform.CoreNames;
import dev.cleave.agent.transform.LeftAsWritten;
import dev.cleave.agent.transform.Rewritten;
import dev.cleave.agent.transform.Weaver;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites the program's classes as they are loaded. Whatever goes wrong, the class stays as it was; the first failure is
 * told, no later one. Called by any thread that loads a class.
 */
final class CallTransformer implements ClassFileTransformer {

    private final Weaver weaver;
    private final Findings findings;
    private final Consumer<String> messages;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final Map<ClassLoader, Boolean> seesCore = new WeakHashMap<>(); // guarded by itself

    CallTransformer(Weaver weaver, Findings findings, Consumer<String> messages) {
        this.weaver = weaver;
        this.findings = findings;
        this.messages = messages;
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String className,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        try {
            if (loader == null || loader instanceof LeftAsWritten || className == null) {
                return null;
            }
            if (!concerns(loader, className, classFile)) {
                return null;
            }
            if (Weaver.isWoven(classFile)) {
                findings.addWoven(className.replace('/', '.'));
                return null;
            }
            Rewritten rewritten = weaver.weave(loader, classFile);
            findings.add(loader, rewritten);
            return rewritten.changed() ? rewritten.classFile() : null;
        } catch (Throwable t) { // the JVM would swallow it in silence
            if (failed.compareAndSet(false, true)) {
                messages.accept("cleave agent: " + className + " is left as it is: " + t);
            }
            return null;
        }
    }

    /** Whether a class calls remote methods and can be rewritten. */
    boolean concerns(ClassLoader loader, String className, byte[] classFile) {
        return weaver.concerns(loader, className, classFile) && seesCore(loader);
    }

    private boolean seesCore(ClassLoader loader) {
        synchronized (seesCore) {
            Boolean known = seesCore.get(loader);
            if (known != null) {
                return known;
            }
        }
        boolean sees = loader.getResource(CoreNames.RT + ".class") != null;
        synchronized (seesCore) {
            seesCore.put(loader, sees);
        }
        return sees;
    }
}
