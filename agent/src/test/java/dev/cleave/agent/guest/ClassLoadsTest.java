package dev.cleave.agent.guest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.conformance.Compiler;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The agent looks at class files, never at classes: none of the program is loaded, or loaded earlier, because of it. */
class ClassLoadsTest {

    private static final Pattern LOADED = Pattern.compile("\\] (p\\.[A-Za-z$]+) source:");

    private static final String SOURCE = """
            package p;

            import dev.cleave.agent.conformance.Svc;

            public class Loads {
                static class Never { int value; }
                static class NeverToo extends Never {}
                static class NeverThrown extends RuntimeException {
                    private static final long serialVersionUID = 1L;
                }
                interface Shape { int size(int x); }
                static final class Late implements Shape {
                    public int size(int x) { return x + 1; }
                }

                public static Object run(Svc s, Svc z, int n) {
                    int sum = 0;
                    Never never = null;
                    try {
                        for (int i = 0; i < n; i++) {
                            sum += s.f(i);
                            if (sum < 0) {
                                never = i > 3 ? new Never() : new NeverToo();
                            }
                        }
                    } catch (NeverThrown e) {
                        sum = -1;
                    }
                    Shape shape = new Late();
                    int a = s.f(n);
                    int b = s.g(shape.size(n));
                    return sum + a + b + (never == null ? 0 : never.value);
                }
            }
            """;

    @TempDir
    Path folder;

    private List<String> loads(String classPath, String... options) throws Exception {
        Path log = Files.createTempFile(folder, "loads", ".log");
        List<String> words = new ArrayList<>(List.of(options));
        words.addAll(List.of("-Xlog:class+load:file=" + log, "-cp", classPath));
        words.addAll(List.of(GuestProgram.MAIN, "p.Loads", "20", "7"));
        Child child = Child.run(words);
        assertThat(child.outcome().get(0)).startsWith("result value");
        assertThat(child.inFlight() > 8).isEqualTo(options.length > 0);
        List<String> loaded = new ArrayList<>();
        for (String line : Files.readAllLines(log)) {
            Matcher name = LOADED.matcher(line);
            if (name.find()) {
                loaded.add(name.group(1));
            }
        }
        return loaded;
    }

    @Test
    void theSameClassesInTheSameOrder() throws Exception {
        String classPath =
                GuestProgram.compile(folder, Compiler.RELEASE, "p.Loads", SOURCE) + ":" + GuestProgram.classPath();
        List<String> written = loads(classPath);
        List<String> rewritten = loads(classPath, "-javaagent:" + AgentJar.path());

        assertThat(written).contains("p.Loads", "p.Loads$Late");
        assertThat(rewritten).isEqualTo(written);
    }
}
