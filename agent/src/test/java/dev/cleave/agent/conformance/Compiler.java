package dev.cleave.agent.conformance;

import dev.cleave.Remote;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Serial;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;

/** Compiles sources in memory. Keeps what it has read of the class path; confined to one thread. */
public final class Compiler {

    /** What {@link #classes} throws; its message is what javac said. */
    public static final class Failure extends RuntimeException {

        @Serial
        private static final long serialVersionUID = 1;

        Failure(String message) {
            super(message);
        }
    }

    /** What was compiled: mutants of the agent meet the same programs again. */
    private static final Map<Map<String, String>, Map<String, byte[]>> KNOWN = new ConcurrentHashMap<>();

    private static final ThreadLocal<Compiler> OF_TESTS =
            ThreadLocal.withInitial(() -> new Compiler(Svc.class, Remote.class));

    /**
     * Options for the classes of JDK 17, or of JDK 21 on one that has them. JDK 17 has no need of them: with the option javac reads the
     * classes of the JDK anew each time.
     */
    public static final List<String> RELEASE = Runtime.version().feature() == 17
            ? List.of()
            : List.of("--release", Runtime.version().feature() < 21 ? "17" : "21");

    private record Listing(
            JavaFileManager.Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse) {}

    private final Map<Listing, Iterable<JavaFileObject>> listings = new HashMap<>();
    private final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    private final StandardJavaFileManager standard = compiler.getStandardFileManager(null, null, null);

    /** Makes a compiler that sees where these classes are, and nothing else of the class path. */
    public Compiler(Class<?>... visible) {
        Set<File> path = new LinkedHashSet<>();
        for (Class<?> type : visible) {
            path.add(new File(URI.create(
                    type.getProtectionDomain().getCodeSource().getLocation().toString())));
        }
        try {
            standard.setLocation(StandardLocation.CLASS_PATH, path);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The class files of sources that see the interfaces of the tests, by binary name. */
    public static Map<String, byte[]> compile(Map<String, String> sources) {
        return KNOWN.computeIfAbsent(Map.copyOf(sources), all -> compile(all, "-g"));
    }

    /** The same anew, with an option for debug information. */
    static Map<String, byte[]> compile(Map<String, String> sources, String debug) {
        List<String> options = new ArrayList<>(List.of(debug, "-proc:none", "-Xlint:none"));
        options.addAll(RELEASE);
        return OF_TESTS.get().classes(sources, options.toArray(String[]::new));
    }

    /** Class files by binary name. */
    public Map<String, byte[]> classes(Map<String, String> sources, String... options) {
        Map<String, ByteArrayOutputStream> classes = new HashMap<>();
        List<JavaFileObject> units = new ArrayList<>();
        sources.forEach((name, text) -> units.add(new Source(name, text)));
        StringWriter messages = new StringWriter();
        JavaFileManager memory = new ForwardingJavaFileManager<>(standard) {
            @Override
            public Iterable<JavaFileObject> list(
                    Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
                    throws IOException {
                Listing listing = new Listing(location, packageName, Set.copyOf(kinds), recurse);
                Iterable<JavaFileObject> known = listings.get(listing);
                if (known == null) {
                    known = super.list(location, packageName, kinds, recurse);
                    listings.put(listing, known);
                }
                return known;
            }

            @Override
            public JavaFileObject getJavaFileForOutput(
                    Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                classes.put(name, bytes);
                return new SimpleJavaFileObject(URI.create("mem:///" + name), kind) {
                    @Override
                    public OutputStream openOutputStream() {
                        return bytes;
                    }
                };
            }
        };
        boolean ok = compiler.getTask(messages, memory, null, List.of(options), null, units)
                .call();
        if (!ok) {
            throw new Failure(messages.toString());
        }
        Map<String, byte[]> result = new HashMap<>();
        classes.forEach((name, bytes) -> result.put(name, bytes.toByteArray()));
        return result;
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String text;

        Source(String name, String text) {
            super(URI.create("string:///" + name.replace('.', '/') + ".java"), Kind.SOURCE);
            this.text = text;
        }

        @Override
        public CharSequence getCharContent(boolean ignored) {
            return text;
        }
    }
}
