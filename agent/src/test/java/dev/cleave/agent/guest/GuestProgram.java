package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.conformance.Compiler;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** A small program with remote calls, compiled, for JVMs of its own. */
final class GuestProgram {

    /** The class that runs programs. */
    static final String MAIN = "dev.cleave.agent.conformance.ProgramMain";

    /** The class of the program, with loops, a row of calls, a handler, and a helper. */
    static final String CLASS = "p.Guest";

    static final String SOURCE = """
            package p;

            import dev.cleave.agent.conformance.Svc;
            import java.util.ArrayList;
            import java.util.List;

            public class Guest {
                private int calls;

                public static Object run(Svc s, Svc z, int n) {
                    List<Object> results = new ArrayList<>();
                    Guest guest = new Guest();
                    results.add(guest.sum(s, n));
                    results.add(guest.row(s, n));
                    results.add(guest.guarded(s, n));
                    results.add(guest.calls);
                    return results;
                }

                int sum(Svc s, int n) {
                    int sum = 0;
                    for (int i = 0; i < n; i++) {
                        int answer = s.f(i);
                        sum += answer * 31;
                        calls++;
                    }
                    return sum;
                }

                int row(Svc s, int n) {
                    int a = s.f(n);
                    int b = s.g(n + 1);
                    int c = score(s, n);
                    return a + 3 * b + 5 * c;
                }

                private int score(Svc s, int x) {
                    return s.f(x * 2) + 1;
                }

                String guarded(Svc s, int n) {
                    String text = "";
                    try {
                        for (int i = 0; i < n; i++) {
                            text += s.s("t" + i);
                        }
                    } catch (RuntimeException e) {
                        text += " caught " + e.getMessage();
                    } finally {
                        calls += 100;
                    }
                    return text;
                }
            }
            """;

    private GuestProgram() {}

    /** Compiles sources, given as binary name and text in turn, into a folder. */
    static Path compile(Path folder, List<String> options, String... namesAndTexts) throws IOException {
        Path sources = Files.createTempDirectory(folder, "sources");
        Path classes = Files.createTempDirectory(folder, "classes");
        List<String> words = new ArrayList<>(List.of("-g", "-proc:none", "-Xlint:none", "-d", classes.toString()));
        if (!options.contains("-cp") && !options.contains("-p")) {
            words.addAll(List.of("-cp", classPath()));
        }
        words.addAll(options);
        for (int i = 0; i < namesAndTexts.length; i += 2) {
            Path file = sources.resolve(namesAndTexts[i].replace('.', '/') + ".java");
            Files.createDirectories(file.getParent());
            Files.writeString(file, namesAndTexts[i + 1]);
            words.add(file.toString());
        }
        assertThat(ToolProvider.getSystemJavaCompiler().run(null, null, null, words.toArray(new String[0])))
                .isZero();
        return classes;
    }

    /** Compiles the program into a folder. */
    static Path compile(Path folder) throws IOException {
        return compile(folder, Compiler.RELEASE, CLASS, SOURCE);
    }

    /** The harness and the core, for the class path of a child. */
    static String classPath() {
        return String.join(File.pathSeparator, harness(), core());
    }

    /** The folder with the harness. */
    static String harness() {
        return Path.of("target", "test-classes").toAbsolutePath().toString();
    }

    /** The folder or jar with the core. */
    static String core() {
        return ClassPath.of(dev.cleave.Remote.class);
    }

    /** Arguments behind the options of a JVM: a run of 20 rounds. */
    static List<String> run(String... failing) {
        List<String> words = new ArrayList<>(List.of(MAIN, CLASS, "20", "7"));
        words.addAll(List.of(failing));
        return words;
    }

    /** Packs a folder, or copies the entries of a jar, into a jar. */
    static Path pack(Path jar, Path folder, String... manifest) throws IOException {
        Manifest head = new Manifest();
        head.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        for (int i = 0; i < manifest.length; i += 2) {
            head.getMainAttributes().putValue(manifest[i], manifest[i + 1]);
        }
        try (OutputStream out = Files.newOutputStream(jar);
                JarOutputStream zip = new JarOutputStream(out, head);
                Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).sorted().toList()) {
                String name = folder.relativize(file).toString().replace('\\', '/');
                if (!name.equals("META-INF/MANIFEST.MF")) {
                    zip.putNextEntry(new JarEntry(name));
                    Files.copy(file, zip);
                    zip.closeEntry();
                }
            }
        }
        return jar;
    }
}
