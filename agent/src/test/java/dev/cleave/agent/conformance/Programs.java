package dev.cleave.agent.conformance;

import dev.cleave.agent.effect.RemoteCalls;
import dev.cleave.agent.plan.Verdict;
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
import java.util.List;
import java.util.Map;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.util.CheckClassAdapter;

/** A batch of programs, compiled once, each as written and rewritten. */
final class Programs {

    private final Map<String, byte[]> written;
    private final Map<String, byte[]> rewritten = new HashMap<>();
    private final Map<String, List<Verdict>> verdicts = new HashMap<>();
    private final Map<String, List<String>> incomplete = new HashMap<>();
    private final Loader plain;
    private final Loader agent;

    Programs(Map<String, String> sources) {
        this(sources, Compiler::compile);
    }

    Programs(Map<String, String> sources, Compilation compiler) {
        written = compiler.compile(sources);
        ClassLoader parent = Programs.class.getClassLoader();
        ClassFiles outer = ClassFiles.of(parent);
        ClassFiles files = name -> {
            byte[] own = written.get(name.replace('/', '.'));
            return own != null ? own : outer.read(name);
        };
        RemoteInterfaceIndex index = new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE);
        RemoteCalls remote = (owner, name, descriptor) -> index.call(parent, owner, name, descriptor);
        written.forEach((name, bytes) -> {
            Rewritten result = new ClassRewriter(files, remote).rewrite(bytes);
            rewritten.put(name, result.classFile());
            List<Verdict> all = new ArrayList<>();
            result.verdicts().values().forEach(all::addAll);
            verdicts.put(name, all);
            incomplete.put(name, Completeness.problems(bytes, result.verdicts()));
        });
        plain = new Loader(parent, written);
        agent = new Loader(parent, rewritten);
        rewritten.forEach((name, bytes) -> verify(name, bytes, agent));
    }

    /** Makes class files of sources, both by binary name. */
    interface Compilation {
        Map<String, byte[]> compile(Map<String, String> sources);
    }

    private static void verify(String name, byte[] bytes, ClassLoader loader) {
        StringWriter problems = new StringWriter();
        try {
            CheckClassAdapter.verify(new ClassReader(bytes), loader, false, new PrintWriter(problems));
            loader.loadClass(name).getDeclaredMethods();
        } catch (Exception | LinkageError e) {
            throw new AssertionError(name + ": " + problems, e);
        }
        if (!problems.toString().isEmpty()) {
            throw new AssertionError(name + " does not verify: " + problems);
        }
    }

    Class<?> written(String name) {
        return load(plain, name);
    }

    Class<?> rewritten(String name) {
        return load(agent, name);
    }

    byte[] bytes(String name) {
        return rewritten.get(name);
    }

    List<Verdict> verdicts(String name) {
        return verdicts.get(name);
    }

    /** What refusals of a program leave unsaid. */
    List<String> incomplete(String name) {
        return incomplete.get(name);
    }

    private static Class<?> load(ClassLoader loader, String name) {
        try {
            return Class.forName(name, true, loader);
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Loader extends ClassLoader {
        private final Map<String, byte[]> classes;

        Loader(ClassLoader parent, Map<String, byte[]> classes) {
            super(parent);
            this.classes = classes;
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }
}
