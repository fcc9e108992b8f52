package dev.cleave.agent.premain;

import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.ProgramClasses;
import dev.cleave.agent.scan.RemoteCallScanner;
import dev.cleave.agent.transform.CoreNames;
import dev.cleave.agent.transform.ExcludedFromWeaving;
import dev.cleave.agent.transform.Rewritten;
import dev.cleave.agent.transform.Weaver;
import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Rewrites the program's classes as they are loaded. If anything fails, the class stays as it was; only the first
 * failure is reported. Called by any thread that loads a class.
 */
final class CallTransformer implements ClassFileTransformer, RemoteCallScanner.Sight {

    private final Weaver weaver;
    private final Findings findings;
    private final ReentrancyGuard ownWork;
    private final Predicate<Module> coreReads;
    private final Consumer<String> messages;
    private final RmiPrograms rmi;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final Map<ClassLoader, Boolean> seesCore = new WeakHashMap<>(); // guarded by itself

    CallTransformer(
            Weaver weaver,
            Findings findings,
            ReentrancyGuard ownWork,
            Predicate<Module> coreReads,
            Consumer<String> messages) {
        this(
                weaver,
                findings,
                ownWork,
                coreReads,
                new BooleanSupplier() {
                    @Override
                    public boolean getAsBoolean() {
                        return false;
                    }
                },
                messages);
    }

    /**
     * Creates a transformer.
     *
     * @param core brings the core to a program that has none; false if it cannot
     */
    CallTransformer(
            Weaver weaver,
            Findings findings,
            ReentrancyGuard ownWork,
            Predicate<Module> coreReads,
            BooleanSupplier core,
            Consumer<String> messages) {
        this.weaver = weaver;
        this.findings = findings;
        this.ownWork = ownWork;
        this.coreReads = coreReads;
        this.messages = messages;
        rmi = new RmiPrograms(
                new Predicate<ClassLoader>() {
                    @Override
                    public boolean test(ClassLoader loader) {
                        return seesCoreNow(loader);
                    }
                },
                core,
                messages);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable Module module,
            @Nullable ClassLoader loader,
            @Nullable String className,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (loader == null || className == null || !ProgramClasses.mayCallRemote(className) || !ownWork.begin()) {
            return null;
        }
        try {
            if (redefined != null) {
                weaver.forget();
                if (findings.has(className.replace('/', '.'))) {
                    RunningHelpers.redefined(redefined);
                }
            }
            if (loader instanceof ExcludedFromWeaving) {
                return null;
            }
            byte[] ofRmi = rmi.rewritten(loader, classFile);
            if (ofRmi != null && module != null && !coreReads.test(module)) {
                ofRmi = null;
            }
            byte[] woven = woven(module, loader, className, ofRmi == null ? classFile : ofRmi);
            return woven == null ? ofRmi : woven;
        } catch (Throwable t) { // the JVM would swallow the exception silently
            tell(className, t.toString());
            return null;
        } finally {
            ownWork.end();
        }
    }

    /** Splits the remote calls of a class; null if it stays as it is. */
    private byte @Nullable [] woven(@Nullable Module module, ClassLoader loader, String className, byte[] classFile) {
        try {
            if (!callsRemote(loader, className, classFile)) {
                return null;
            }
            String tooNew = Weaver.tooNew(classFile);
            if (tooNew != null) {
                tell(className, tooNew);
                return null;
            }
            if (Weaver.isWoven(classFile)) {
                findings.addWoven(className.replace('/', '.'));
                return null;
            }
            if (module != null && !coreReads.test(module)) {
                throw new IllegalStateException("its module " + module.getName() + " cannot be made to read the core");
            }
            Rewritten rewritten = weaver.weave(loader, classFile);
            findings.add(loader, rewritten);
            if (!rewritten.defects().isEmpty()) {
                tellDefect(className, rewritten.defects().get(0));
            }
            return rewritten.changed() ? rewritten.classFile() : null;
        } catch (Throwable t) { // the JVM would swallow the exception silently
            tell(className, t.toString());
            return null;
        }
    }

    /** Reports the first class that cannot be rewritten, and no later one. */
    private void tell(String className, String why) {
        if (failed.compareAndSet(false, true)) {
            messages.accept("cleave agent: " + className + " is left as it is: " + why);
        }
    }

    /** Reports the first method on which the agent failed by a defect of its own, and no later one. */
    private void tellDefect(String className, String defect) {
        if (failed.compareAndSet(false, true)) {
            messages.accept("cleave agent: a part of " + className + " is left as it is, by a defect of the agent: "
                    + defect + "; report it, with the class file");
        }
    }

    /** Whether a class that was loaded before calls remote methods and can be rewritten. */
    boolean concerns(ClassLoader loader, String className) {
        if (!ProgramClasses.mayCallRemote(className) || !ownWork.begin()) {
            return false;
        }
        try {
            byte[] classFile = ClassFileSource.ofResources(loader, className);
            return classFile != null && (rmi.concerns(classFile) || callsRemote(loader, className, classFile));
        } finally {
            ownWork.end();
        }
    }

    private boolean callsRemote(ClassLoader loader, String className, byte[] classFile) {
        return weaver.concerns(loader, className, classFile, this) && seesCore(loader);
    }

    /**
     * Whether a loader sees the core: only then can its classes be rewritten, and only then are others read for them.
     */
    @Override
    public boolean reaches(@Nullable ClassLoader loader) {
        return loader != null && seesCore(loader);
    }

    /** Asks again, since the core may have come by now. */
    private boolean seesCoreNow(ClassLoader loader) {
        synchronized (seesCore) {
            if (!Boolean.TRUE.equals(seesCore.get(loader))) {
                seesCore.remove(loader);
            }
        }
        return seesCore(loader);
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
