package dev.cleave.agent.conformance;

import static dev.cleave.agent.conformance.StreamPrograms.LIST;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * What was sent and is not reached is withdrawn before any of it is waited for (R20, R37): of calls that queue for one worker
 * at most the one runs that the worker has taken meanwhile.
 */
@Tag("one-jdk")
class GivingUpTest extends ProgramTests {

    private static final int N = 20;

    private static final String HEAVY =
            " }\nprivate static int heavy(int n) { int k = n; for (int i = 0; i < 60; i++) { k = k * 31 + i; } return k;";

    @TestFactory
    Stream<DynamicTest> programs() {
        rows();
        catches();
        branches();
        helpers();
        loops();
        streams();
        return tests();
    }

    private void rows() {
        String row = "int a = s.f(0); int b = s.f(1); int c = s.f(2); int d = s.f(3); int e = s.f(4); int g = s.f(5); ";
        executes("row-whose-first-call-fails", 2, Schedule.failing(1, "f[0]"), row + "return a + b + c + d + e + g;");
        executes("row-whose-third-call-fails", 4, Schedule.failing(1, "f[2]"), row + "return a + b + c + d + e + g;");
        executes(
                "row-with-an-exception-behind-the-first",
                2,
                Schedule.ok(1),
                "int a = s.f(0); int q = n / (a - 1); int b = s.f(1); int c = s.f(2); int d = s.f(3); int e = s.f(4); return a + b + c + d + e;");
        executes(
                "row-awaited-in-the-middle",
                3,
                Schedule.failing(1, "f[1]"),
                "int a = s.f(0); int b = s.f(1); int c = s.f(2); seen = a + b; int d = s.f(3); int e = s.f(4); return c + d + e; }\nstatic int seen; static void nothing() {");
        String seen = " }\nstatic int seen; static void nothing() {";
        executes(
                "two-groups-at-once",
                "w",
                1,
                Schedule.failing(1, "g[2]"),
                Map.of("w", 4, "put", 20),
                "int a = s.f(0); int b = s.g(a + 1); seen = b; int c = s.w(1); int d = s.w(2); int e = s.w(3); s.put(a + 2); s.put(a + 3); return c + d + e;"
                        + seen);
        executes(
                "calls-passed-before-calls-not-reached",
                "w",
                1,
                Schedule.failing(1, "g[0]"),
                Map.of("w", 4, "put", 20),
                "int a = s.g(0); int k = heavy(n); int b = s.w(1); k = heavy(k); int c = s.w(2); k = heavy(k); int d = s.w(3); k = heavy(k); seen = a + k; s.put(1); s.put(2); return b + c + d;"
                        + seen + HEAVY);
        executes(
                "calls-passed-whose-second-fails",
                3,
                Schedule.failing(1, "w[1]"),
                "int a = s.w(0); int k = heavy(n); int b = s.w(1); k = heavy(k); int c = s.w(2); k = heavy(k); int d = s.w(3); k = heavy(k); int e = s.w(4); k = heavy(k); seen = k; return a + b + c + d + e;"
                        + seen + HEAVY);
        executes(
                "calls-passed-whose-second-fails-behind-an-exception",
                3,
                Schedule.failing(1, "w[1]"),
                "int a = s.w(0); int k = heavy(n); int b = s.w(1); k = heavy(k); int c = s.w(2); k = heavy(k); int d = s.w(3); k = heavy(k) / (k - k); return a + b + c + d + k;"
                        + seen + HEAVY);
    }

    private void catches() {
        executes(
                "row-in-try-finally",
                2,
                Schedule.failing(1, "f[0]"),
                "int[] r = new int[6]; try { r[0] = s.f(0); r[1] = s.f(1); r[2] = s.f(2); r[3] = s.f(3); r[4] = s.f(4); } finally { seen = r[0]; } return r[4]; }\nstatic int seen; static void nothing() {");
        executes(
                "row-in-try-catch",
                2,
                Schedule.failing(1, "f[0]"),
                "int t = 0; try { int a = s.f(0); int b = s.f(1); int c = s.f(2); int d = s.f(3); t = a + b + c + d; } catch (RuntimeException e) { t = -1; } return t;");
    }

    private void branches() {
        executes(
                "branch-that-leaves-speculative-calls-out",
                3,
                Schedule.ok(1),
                "int a = s.f(0); if (a == 1) return a; int b = s.tryInt(1); int c = s.tryInt(2); int d = s.tryInt(3); int e = s.tryInt(4); return a + b + c + d + e;");
    }

    private void helpers() {
        executes(
                "row-of-helpers",
                2,
                Schedule.failing(1, "f[0]"),
                "int a = one(s, 0); int b = one(s, 1); int c = one(s, 2); int d = one(s, 3); return a + b + c + d; }\n"
                        + "private static int one(Svc s, int x) { return s.f(x) * 2;");
        executes(
                "helper-with-a-row", // the helper gives up its own before the caller hears of it
                3,
                Schedule.failing(1, "f[0]"),
                "return row(s, 0) + row(s, 10) + row(s, 20); }\nprivate static int row(Svc s, int x) { int a = s.f(x); int b = s.f(x + 1); int c = s.f(x + 2); int d = s.f(x + 3); return a + b + c + d;");
        executes(
                "loop-over-a-helper-with-a-row",
                3,
                Schedule.failing(1, "f[0]"),
                "int t = 0; for (int i = 0; i < n; i++) t += row(s, 10 * i); return t; }\nprivate static int row(Svc s, int x) { int a = s.f(x); int b = s.f(x + 1); int c = s.f(x + 2); return a + b + c;");
    }

    private void loops() {
        executes(
                "loop-whose-first-call-fails",
                2,
                Schedule.failing(1, "f[0]"),
                "int t = 0; for (int i = 0; i < n; i++) t += s.f(i); return t;");
        executes(
                "loop-with-two-calls",
                2,
                Schedule.failing(1, "f[0]"),
                "int t = 0; for (int i = 0; i < n; i++) { int a = s.f(2 * i); int b = s.f(2 * i + 1); t += a + b; } return t;");
    }

    private void streams() {
        executes(
                "stream-whose-first-call-fails",
                2,
                Schedule.failing(1, "f[0]"),
                LIST + "return xs.stream().map(x -> s.f(x)).toList();");
        executes(
                "stream-with-an-exception-in-a-lambda",
                7,
                Schedule.ok(1),
                LIST + "return xs.stream().map(x -> s.f(x)).map(y -> 7 / (y - 31)).toList();");
        executes(
                "stream-with-two-calls",
                "f",
                9,
                Schedule.failing(1, "g[31]"),
                Map.of("f[16]", 20, "g", 3, "g[37]", 50),
                LIST + "return xs.stream().map(x -> s.f(x)).map(y -> s.g(y)).toList();");
        executes(
                "stream-that-matches-early",
                7,
                Schedule.ok(1),
                LIST + "return xs.stream().map(x -> s.tryInt(x)).anyMatch(y -> y == 113);");
        executes(
                "stream-with-a-limit",
                7,
                Schedule.ok(1),
                LIST + "return xs.stream().map(x -> s.tryInt(x)).filter(y -> y > 1).limit(6).toList();");
        executes(
                "stream-that-guesses",
                7,
                Schedule.ok(1),
                LIST + "return xs.stream().map(x -> s.pure(x)).filter(y -> y > 1).limit(6).toList();");
    }

    /** Checks that the services execute at most {@code atMost} calls and that both runs of the program end alike. */
    private void executes(String name, int atMost, Schedule schedule, String body) {
        add(name, body);
        test(name, () -> assertThat(run(name, schedule, Map.of()).executed)
                .as(name + ": " + conformance.verdicts(name))
                .hasSizeLessThanOrEqualTo(atMost));
    }

    /** Checks that the services execute at most {@code atMost} calls of a method while its other calls take a given time. */
    private void executes(
            String name, String method, int atMost, Schedule schedule, Map<String, Integer> times, String body) {
        add(name, body);
        test(name, () -> assertThat(run(name, schedule, times).executedOf(method))
                .as(name + ": " + conformance.verdicts(name))
                .isLessThanOrEqualTo(atMost));
    }

    /** The second run, when windows have grown. */
    private OneWorkerService run(String name, Schedule schedule, Map<String, Integer> times) {
        Class<?> program = conformance.programs().rewritten("p." + Conformance.className(name));
        OneWorkerService written = OneWorkerService.run(
                conformance.programs().written("p." + Conformance.className(name)), N, schedule, times);
        OneWorkerService.run(program, N, Schedule.ok(1), times);
        OneWorkerService rewritten = OneWorkerService.run(program, N, schedule, times);
        String where = name + ": executed " + rewritten.executed + ", as written " + written.executed;
        assertThat(rewritten.result).as(where).isEqualTo(written.result);
        assertThat(rewritten.executed).as(where).containsAll(written.executed);
        assertThat(rewritten.open()).as("open calls, " + where).isZero();
        assertThat(rewritten.sentAhead).as("calls sent ahead, " + where).isGreaterThan(1);
        return rewritten;
    }
}
