package dev.cleave.agent.cli;

import dev.cleave.agent.report.Plain;
import dev.cleave.agent.report.Report;
import dev.cleave.agent.scan.CallSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.ClassReader;

/** {@code verify}: rewrites the classes of jars and folders, and lets the verifier of this JVM look at the result. */
final class Verify {

    private Verify() {}

    /** Prints the verdicts on the calls, and the classes that no longer link; true if all classes link. */
    static boolean run(List<String> paths, CallSettings settings, PrintWriter out) throws IOException {
        try (ProgramPath path = ProgramPath.open(paths)) {
            Weaving weaving = new Weaving(path.weaver(settings));
            Map<String, byte[]> rewritten = new TreeMap<>();
            for (ProgramFiles part : path.parts()) {
                for (String name : part.classes()) {
                    byte[] file = part.find(name);
                    byte[] woven = file == null ? null : weaving.weave(name, file);
                    if (woven != file && woven != null) {
                        rewritten.put(new ClassReader(woven).getClassName().replace('/', '.'), woven);
                    }
                }
            }
            Report report = weaving.report(path.missing());
            out.println(report.summary());
            report.notes().forEach(note -> out.println(Plain.line(note)));
            Classes before = new Classes(path, Map.of());
            Classes after = new Classes(path, rewritten);
            int failed = 0;
            for (String name : rewritten.keySet()) {
                String failure = after.link(name);
                if (failure != null && before.link(name) == null) {
                    failed++;
                    out.println(Plain.line("links no more: " + name + ": " + failure));
                }
            }
            out.println((rewritten.size() - failed) + " of " + rewritten.size()
                    + " rewritten classes link as before on JDK "
                    + Runtime.version().feature());
            return failed == 0;
        }
    }

    /** The program's classes, some of them rewritten. Nothing of them is run. */
    private static final class Classes extends ClassLoader {

        private final ProgramPath path;
        private final Map<String, byte[]> rewritten;

        Classes(ProgramPath path, Map<String, byte[]> rewritten) {
            super(ProgramPath.loader());
            this.path = path;
            this.rewritten = rewritten;
        }

        /** Links a class; returns the error of the JVM, null if there is none. */
        @Nullable
        String link(String name) {
            try {
                return Class.forName(name, false, this).getDeclaredMethods().length < 0 ? "?" : null; // must be linked
            } catch (ClassNotFoundException | LinkageError | RuntimeException e) {
                return String.valueOf(e).lines().findFirst().orElse("?");
            }
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            synchronized (getClassLoadingLock(name)) {
                Class<?> known = findLoadedClass(name);
                if (known != null) {
                    return known;
                }
                byte[] file = rewritten.get(name);
                if (file == null) {
                    file = path.ofProgram(name.replace('.', '/'));
                }
                return file == null ? super.loadClass(name, resolve) : defineClass(name, file, 0, file.length);
            }
        }
    }
}
