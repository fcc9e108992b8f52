package dev.cleave.agent.later;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.Seed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs that nobody has thought of do the same while their results arrive, and wherever one is lost. */
@Tag("one-jdk")
class RandomResultsTest {

    private static final long SEED = Seed.or(20261122);
    private static final int COUNT = Boolean.getBoolean("cleave.full") ? 150 : 60;

    private static final Map<String, String> FEED = Map.of("p.Feed", """
            package p;
            import dev.cleave.*;
            @Remote public interface Feed {
              @Later int[] a(int n);
              @Async @Later int[] b(int n);
              @Later int[][] m(int n);
            }
            """, "p.FeedStub", """
            package p;
            import dev.cleave.agent.later.PipeScript;
            import dev.cleave.later.LaterArguments;
            public final class FeedStub extends dev.cleave.call.Stub implements Feed {
              final PipeScript script;
              public FeedStub(PipeScript script) { this.script = script; }
              public String service() { return "feed"; }
              public int[] a(int n) { return (int[]) script.call("a", n); }
              public int[] b(int n) { return (int[]) script.call("b", n); }
              public int[][] m(int n) { return (int[][]) script.call("m", n); }
              public LaterArguments a$later(int n) { return script.begin("a", n); }
              public LaterArguments b$later(int n) { return script.begin("b", n); }
              public LaterArguments m$later(int n) { return script.begin("m", n); }
            }
            """);

    @Test
    void doTheSameWhileResultsArriveAndAreLost() throws ReflectiveOperationException {
        Random random = new Random(SEED);
        KernelGenerator generator = new KernelGenerator(random);
        Map<String, String> sources = new HashMap<>(FEED);
        for (int i = 0; i < COUNT; i++) {
            sources.put("p.K" + i, """
                    package p;
                    public class K%d {
                    static long touch(int[] x, int i) { return x[i]; }
                    public long run(Feed f, int n) {
                    %s%s%s}
                    }
                    """.formatted(
                            i, calls(random), first(random), generator.body().replace("return ", "return q + ")));
        }
        LaterPrograms programs = new LaterPrograms(sources);
        int piecewise = 0;
        for (int i = 0; i < COUNT; i++) {
            String type = "p.K" + i;
            Object[] values = RandomKernelsTest.arguments(random);
            Map<String, Object> given = new HashMap<>(Map.of("a", values[0], "m", values[2]));
            given.put("b", values[1]);
            try {
                piecewise += isPiecewise(programs, type, given, (int) values[3]) ? 1 : 0;
                for (int lostCall = -1; lostCall < 3; lostCall++) {
                    for (int lostAt = 0; lostAt < (lostCall < 0 ? 1 : 8); lostAt += 2) {
                        for (int step : new int[] {1, 4}) {
                            PipeScript plain = new PipeScript(step, lostCall, lostAt).giving(given);
                            PipeScript later = new PipeScript(step, lostCall, lostAt).giving(given);
                            assertThat(run(programs.loaded(type), later, (int) values[3]))
                                    .as("call %s is lost at %s, step %s", lostCall, lostAt, step)
                                    .isEqualTo(run(programs.written(type), plain, (int) values[3]));
                        }
                    }
                }
            } catch (AssertionError | RuntimeException e) {
                throw new AssertionError("seed " + SEED + ", kernel " + i + ":\n" + sources.get(type), e);
            }
        }
        assertThat(piecewise)
                .as("seed %s: programs that use what has come", SEED)
                .isGreaterThan(COUNT / 10);
    }

    private static String calls(Random random) {
        List<String> calls =
                new ArrayList<>(List.of("int[] a = f.a(n);\n", "int[] b = f.b(n);\n", "int[][] m = f.m(n);\n"));
        Collections.shuffle(calls, random);
        return String.join("", calls);
    }

    /** What comes before all else: most of the rest is not allowed before results are whole. */
    private static String first(Random random) {
        String array = random.nextBoolean() ? "a" : "b";
        String loop = "for (int i = 0; i < " + (random.nextBoolean() ? array + ".length" : "n") + "; i++) ";
        return "long q = 0;\n"
                + switch (random.nextInt(8)) {
                    case 0 -> loop + "q = 31 * q + " + array + "[i];\n";
                    case 1 -> loop + "q += a[i] * b[i];\n";
                    case 2 -> loop + "q += " + array + "[i] / (i - 4);\n";
                    case 3 -> loop + "{ if (a[i] > 25) continue; q ^= b[i];\n if (q == 7) break; }\n";
                    case 4 -> loop + "for (int j = 0; j <= i; j++) q += " + array + "[j] - m[i][j];\n";
                    case 5 -> "int[] o = new int[n];\n" + loop + "o[i] = " + array + "[i] + i;\nq = o[n - 1];\n";
                    case 6 -> "try {\n" + loop + "q += " + array + "[i];\n} finally { q++; }\n";
                    default -> "n++;\n";
                };
    }

    private static boolean isPiecewise(LaterPrograms programs, String type, Map<String, Object> given, int n)
            throws ReflectiveOperationException {
        PipeScript script = new PipeScript(1, -1, 0).giving(given);
        String unused = run(programs.loaded(type), script, n);
        return script.results().stream().anyMatch(result -> result.waits() > 1);
    }

    private static String run(Class<?> type, PipeScript script, int n) throws ReflectiveOperationException {
        Object feed = type.getClassLoader()
                .loadClass("p.FeedStub")
                .getConstructor(PipeScript.class)
                .newInstance(script);
        Object result = LaterPrograms.call(LaterPrograms.method(type, "run"), LaterPrograms.make(type), feed, n);
        return LaterResultsTest.text(result);
    }
}
