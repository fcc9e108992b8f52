package dev.cleave.agent.transform;

import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.ClassFiles;
import dev.cleave.agent.scan.ProgramClasses;
import dev.cleave.agent.scan.RemoteCallScanner;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.scan.ScannedInterface;
import dev.cleave.agent.scan.TrustLevel;
import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Opcodes;

/**
 * Rewrites those classes of a program that call remote methods. The agent and the command line ask the same weaver, so
 * that both decide alike. Safe for use by any thread.
 */
public final class Weaver {

    private static final int CLASS_TAG = 7;

    /** The newest version of class files that can be read. */
    private static final int NEWEST = Opcodes.V27;

    private final RemoteInterfaceIndex index;
    private final ClassFileSource files;
    private final RemoteCallScanner scanner;
    private volatile @Nullable Rewriters rewriters; // none in a program without remote calls, nor are their classes

    /**
     * Creates a weaver.
     *
     * @param index what is remote
     * @param files the class files of the program and of what it uses
     */
    public Weaver(RemoteInterfaceIndex index, ClassFileSource files) {
        this.index = index;
        this.files = files;
        this.scanner = new RemoteCallScanner(index, files);
    }

    /**
     * Whether a class is the program's and calls remote methods, or methods of classes that do, or may be called with
     * later arguments.
     */
    public boolean concerns(
            @Nullable ClassLoader loader, String internalName, byte[] classFile, RemoteCallScanner.Sight sight) {
        return ProgramClasses.isProgram(internalName) && scanner.concerns(loader, internalName, classFile, sight);
    }

    /**
     * Whether a class is the program's and may call remote methods; it reads the name of the class from its file.
     */
    public boolean concerns(@Nullable ClassLoader loader, byte[] classFile) {
        return scanner.concerns(loader, null, classFile, RemoteCallScanner.Sight.ALWAYS)
                && ProgramClasses.isProgram(new ClassReader(classFile).getClassName());
    }

    /** Why a class file cannot be read: it is of a version to come; null if it can. */
    public static @Nullable String tooNew(byte[] classFile) {
        int version = (classFile[6] & 0xFF) << 8 | classFile[7] & 0xFF;
        return version <= NEWEST
                ? null
                : "class file version: " + version + " (expected: at most " + NEWEST + "; a newer agent may know it)";
    }

    /**
     * Whether a class that concerns us was woven before, and is to be left alone: it links sends, or takes later
     * arguments.
     */
    public static boolean isWoven(byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        byte[] rt = CoreNames.RT.getBytes(StandardCharsets.UTF_8);
        byte[] prefetch = CoreNames.PREFETCH.getBytes(StandardCharsets.UTF_8);
        byte[] later = CoreNames.LATER_ARGUMENTS.getBytes(StandardCharsets.UTF_8);
        for (int item = 1; item < reader.getItemCount(); item++) {
            int at = reader.getItem(item);
            if (at > 0 && classFile[at - 1] == CLASS_TAG) {
                int name = reader.getItem(reader.readUnsignedShort(at));
                int length = reader.readUnsignedShort(name);
                if (length == rt.length && matches(classFile, name + 2, rt)
                        || length == prefetch.length && matches(classFile, name + 2, prefetch)
                        || length == later.length && matches(classFile, name + 2, later)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Rewrites a class as far as the rules allow. */
    public Rewritten weave(@Nullable ClassLoader loader, byte[] classFile) {
        return rewriters().rewrite(loader, classFile);
    }

    private Rewriters rewriters() {
        Rewriters known = rewriters;
        if (known == null) {
            synchronized (this) {
                known = rewriters;
                if (known == null) {
                    known = new Rewriters(this::rewriter);
                    rewriters = known;
                }
            }
        }
        return known;
    }

    /** Forgets what class files said, because classes are redefined. */
    public void forget() {
        Rewriters known = rewriters;
        if (known != null) {
            known.forget();
        }
    }

    private ClassRewriter rewriter(@Nullable ClassLoader loader) {
        return new ClassRewriter(files(loader), remote(loader));
    }

    /** Returns the verdicts of a class; those of sequential calls name the word that would free the call. */
    public Map<String, List<Verdict>> remedied(
            @Nullable ClassLoader loader, byte[] classFile, Map<String, List<Verdict>> verdicts) {
        return new RemedySearch(files(loader), remote(loader)).remedied(classFile, verdicts);
    }

    private ClassFiles files(@Nullable ClassLoader loader) {
        Supplier<@Nullable ClassLoader> held = weakly(loader);
        return new ClassFiles() {
            @Override
            public byte @Nullable [] read(String internalName) {
                return files.read(held.get(), internalName);
            }

            @Override
            public List<String> beside(String internalName) {
                return files.beside(held.get(), internalName);
            }
        };
    }

    /** Holds a loader weakly. The caller that has a class of the loader rewritten keeps the loader reachable. */
    private static Supplier<@Nullable ClassLoader> weakly(@Nullable ClassLoader loader) {
        return new WeakReference<>(loader)::get;
    }

    private RemoteCalls remote(@Nullable ClassLoader loaderOfClasses) {
        Supplier<@Nullable ClassLoader> held = weakly(loaderOfClasses);
        return new RemoteCalls() {
            @Override
            public @Nullable CallSetting settingOf(String owner, String name, String descriptor) {
                return index.call(held.get(), owner, name, descriptor);
            }

            @Override
            public Map<String, Set<Integer>> latersOf(String internalName) {
                ScannedInterface found = index.find(held.get(), internalName);
                return found == null ? Map.of() : found.laters();
            }

            @Override
            public Map<String, Set<Integer>> streamablesOf(String internalName) {
                ScannedInterface found = index.find(held.get(), internalName);
                return found == null ? Map.of() : found.streamables();
            }

            @Override
            public boolean mayCall(String internalName) {
                return ProgramClasses.isProgram(internalName) && scanner.isCaller(held.get(), internalName);
            }

            @Override
            public TrustLevel trustIn(String owner, String name) {
                return index.trustIn(owner, name);
            }
        };
    }

    private static boolean matches(byte[] file, int at, byte[] expected) {
        for (int i = 0; i < expected.length; i++) {
            if (file[at + i] != expected[i]) {
                return false;
            }
        }
        return true;
    }
}
