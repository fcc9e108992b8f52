package dev.cleave.agent.conformance;

import dev.cleave.agent.completeness.ClockedClasses;
import dev.cleave.agent.completeness.DataFlowClock;
import dev.cleave.agent.completeness.Makespan;
import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.ClassFiles;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.ClassRewriter;
import dev.cleave.agent.transform.Rewritten;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.util.CheckClassAdapter;

/** A batch of programs, compiled once, each as written and, once it is asked for, rewritten. */
final class Programs {

    static {
        // by this machine's clock a place may be faster as written, and would send nothing
        System.getProperties().putIfAbsent("cleave.comparison", "off");
    }

    private static final boolean FULL = Boolean.getBoolean("cleave.full");

    private final Map<String, byte[]> written;
    private final Map<String, Rewritten> rewritten = new HashMap<>();
    private final Set<String> checked = new HashSet<>();
    private final ClassRewriter rewriter;
    private final ClassFiles files;
    private final RemoteCalls remote;
    private final Loader plain;
    private final Loader agent;

    Programs(Map<String, String> sources) {
        this(sources, Compiler::compile);
    }

    Programs(Map<String, String> sources, Compilation compiler) {
        written = compiler.compile(sources);
        ClassLoader parent = Programs.class.getClassLoader();
        ClassFiles outer = ClassFiles.of(parent);
        files = name -> {
            byte[] own = written.get(name.replace('/', '.'));
            return own != null ? own : outer.read(name);
        };
        RemoteInterfaceIndex index = new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE);
        remote = (owner, name, descriptor) -> index.call(parent, owner, name, descriptor);
        rewriter = new ClassRewriter(files, remote);
        plain = new Loader(parent, written::get);
        agent = new Loader(parent, name -> written.containsKey(name) ? bytes(name) : null);
    }

    private Rewritten of(String name) {
        Rewritten known = rewritten.get(name);
        if (known == null) {
            known = rewriter.rewrite(written.get(name));
            rewritten.put(name, known);
        }
        return known;
    }

    private static String problems(byte[] bytes, ClassLoader loader) {
        StringWriter problems = new StringWriter();
        CheckClassAdapter.verify(new ClassReader(bytes), loader, false, new PrintWriter(problems));
        return problems.toString();
    }

    /** Makes class files of sources, both by binary name. */
    interface Compilation {
        Map<String, byte[]> compile(Map<String, String> sources);
    }

    /** The JVM verifies; what ASM says to it is asked for with {@code -Dcleave.full=true}, and if the JVM refuses. */
    private static void verify(String name, byte[] bytes, ClassLoader loader) {
        try {
            loader.loadClass(name).getDeclaredMethods(); // links
        } catch (Exception | LinkageError e) {
            throw new AssertionError(name + ": " + problems(bytes, loader), e);
        }
        String problems = FULL ? problems(bytes, loader) : "";
        if (!problems.isEmpty()) {
            throw new AssertionError(name + " does not verify: " + problems);
        }
        List<String> locked = Locking.problems(bytes);
        if (!locked.isEmpty()) {
            throw new AssertionError(name + " would never be compiled: " + locked);
        }
    }

    Class<?> written(String name) {
        return load(plain, name);
    }

    /** The class as rewritten; it and those nested in it verify. */
    Class<?> rewritten(String name) {
        Class<?> loaded = load(agent, name);
        if (checked.add(name)) {
            written.keySet().stream()
                    .filter(other -> other.equals(name) || other.startsWith(name + "$"))
                    .forEach(other -> {
                        verify(other, bytes(other), agent);
                        if (!of(other).defects().isEmpty()) {
                            throw new AssertionError("the agent failed in " + other + ": "
                                    + of(other).defects());
                        }
                    });
        }
        return loaded;
    }

    /** The class as it tells the clock of the data flow what it does. */
    private Class<?> clocked(String name) {
        return load(new Loader(Programs.class.getClassLoader(), this::clockedFile), name);
    }

    /** How long a program takes. */
    Makespan makespan(String name, int n) {
        Class<?> clocked = clocked(name);
        return new Makespan(
                name.replaceFirst("^p\\.P", ""),
                TimedService.run(written(name), n),
                TimedService.runInTime(rewritten(name), n),
                DataFlowClock.measure(remote, () -> TimedService.run(clocked, n)),
                DataFlowClock.measureWithinWindows(remote, () -> TimedService.run(clocked, n)));
    }

    private byte[] clockedFile(String name) {
        byte[] file = written.get(name);
        return file == null ? null : ClockedClasses.instrument(file, files);
    }

    byte[] bytes(String name) {
        return of(name).classFile();
    }

    List<Verdict> verdicts(String name) {
        List<Verdict> all = new ArrayList<>();
        of(name).verdicts().values().forEach(all::addAll);
        return all;
    }

    /** What refusals of a program leave unsaid. */
    List<String> incomplete(String name) {
        return Completeness.problems(written.get(name), of(name).verdicts());
    }

    private static Class<?> load(ClassLoader loader, String name) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Loader extends ClassLoader {
        private final Function<String, byte[]> classes;

        Loader(ClassLoader parent, Function<String, byte[]> classes) {
            super(parent);
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.apply(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
