package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.completeness.Makespan;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ideal makespan is the critical path of the data flow, and the rewriting reaches it where nothing stands in the way. */
@Tag("one-jdk")
class DataFlowClockTest {

    private static final int N = 6;

    private final Conformance conformance = new Conformance();
    private final Map<String, Long> ideals = new TreeMap<>();

    private void ideal(long roundTrips, String name, String body) {
        conformance.addBody(name, body);
        ideals.put(name, roundTrips);
    }

    @Test
    void measuresTheCriticalPath() {
        ideal(1, "independent", "int a = s.f(1); int b = s.g(2); return a + b;");
        ideal(3, "dependent", "return s.f(s.g(s.f(n) * 2) + 1);");
        ideal(2, "diamond", "int a = s.f(n); int b = s.g(a + 1); int c = s.w(a + 2); return b + c;");
        ideal(1, "loop", "int t = 0; for (int i = 0; i < n; i++) t += s.f(i); return t;");
        ideal(N, "carried", "int x = 1; for (int i = 0; i < n; i++) x = s.f(x + 1); return x;");
        ideal(2, "decided", "if (s.ok(3)) return s.f(1); return 0;");
        ideal(1, "guessed", "if (s.ok(3)) return s.tryInt(1); return 0;");
        ideal(1, "claimed", "int t = 0; for (int i = 0; i < n; i++) { if (s.pure(i) < 0) break; t++; } return t;");
        ideal(3, "barrier", "int a = s.f(1); int b = s.sync(2); return a + b + s.g(3);");
        ideal(
                2,
                "helpers",
                "return twice(s, twice(s, n)); }\nprivate static int twice(Svc s, int x) { return s.f(x) * 2;");
        ideal(2, "reads", "int a = s.keptRead(1); int b = s.kept(2); int c = s.shelf(3); return a + b + c;");

        ideals.forEach((name, roundTrips) ->
                assertThat(makespan(name).ideal()).as(name).isEqualTo(roundTrips));
    }

    @Test
    void rewrittenProgramsReachIt() {
        conformance.addBody("row", "int a = s.f(1); int b = s.g(2); int c = s.w(3); return a + b + c;");

        assertThat(makespan("row")).isEqualTo(new Makespan("Row", 3, 1, 1, 1));
    }

    private Makespan makespan(String name) {
        return conformance.programs().makespan("p." + Conformance.className(name), N);
    }
}
