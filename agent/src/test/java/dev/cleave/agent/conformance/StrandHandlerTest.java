package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.rule.Rule;
import dev.cleave.rt.Strands;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Nests that handle exceptions of their calls: strands follow the handlers, and passes do not wait for each other (R71). */
class StrandHandlerTest extends ProgramTests {

    private static final int N = 60;

    /** Of ten attempts for an article, as many fail as the article says: none, one, two. */
    private static final Predicate<String> BUSY = call -> {
        if (!call.startsWith("f[") && !call.startsWith("checked[")) {
            return false;
        }
        int x = Integer.parseInt(call.replaceAll("[^0-9]", ""));
        return x % 10 < x / 10 % 3;
    };

    /** Every third call of whatever kind fails. */
    private static final Predicate<String> OFTEN = call -> Math.floorMod(call.hashCode(), 3) == 0;

    private static final Predicate<String> NEVER = call -> false;

    /** The same, and strands send all calls; at most so many round trips while suppliers are busy. */
    private void strands(String name, int atMost, String body) {
        add(name, body);
        test(name, () -> {
            conformance.check(name);
            exact(name);
            Class<?> rewritten = conformance.programs().rewritten("p." + Conformance.className(name));
            long sent = Strands.sent();
            long missed = Strands.missed();
            long unclaimed = Strands.unclaimed();
            int took = TimedService.run(rewritten, N, new Schedule(1, BUSY));
            assertThat(Strands.sent() - sent)
                    .as("calls sent by strands: " + conformance.verdicts(name))
                    .isPositive();
            assertThat(Strands.missed() - missed)
                    .as("calls that no strand sent")
                    .isZero();
            assertThat(Strands.unclaimed() - unclaimed).as("calls given up").isZero();
            assertThat(took)
                    .as(name + " in round trips: " + conformance.verdicts(name))
                    .isLessThanOrEqualTo(atMost);
        });
    }

    /** The same under all schedules, however it is placed. */
    private void exactly(String name, String body) {
        add(name, body);
        test(name, () -> {
            conformance.check(name);
            exact(name);
        });
    }

    private void without(String name, Rule rule, String body) {
        add(name, body);
        test(name, () -> {
            long sent = Strands.sent();
            conformance.check(name);
            exact(name);
            assertThat(Strands.sent() - sent).as("calls sent by strands").isZero();
            refusedBy(name, rule);
        });
    }

    /** The same value or exception; and where none leaves the program, the very calls of the program as written. */
    private void exact(String name) {
        String className = "p." + Conformance.className(name);
        Class<?> written = conformance.programs().written(className);
        Class<?> rewritten = conformance.programs().rewritten(className);
        for (Predicate<String> fails : List.of(BUSY, OFTEN, NEVER)) {
            for (int n : new int[] {0, 1, 2, 7, 40}) {
                for (long seed = 1; seed <= 6; seed++) {
                    Schedule schedule = new Schedule(seed, fails);
                    Outcome expected = Outcome.of(written, schedule, n);
                    Outcome actual = Outcome.of(rewritten, schedule, n);
                    String where = name + " n=" + n + " seed=" + seed + " " + conformance.verdicts(name);
                    assertThat(actual.result()).as(where).isEqualTo(expected.result());
                    assertThat(actual.open()).as("open calls: " + where).isZero();
                    assertThat(actual.violation()).as(where).isEmpty();
                    if (!expected.result().startsWith("threw")) {
                        assertThat(sorted(actual.log())).as(where).isEqualTo(sorted(expected.log()));
                    }
                }
            }
        }
    }

    private static List<String> sorted(List<String> log) {
        List<String> calls = new ArrayList<>(log);
        Collections.sort(calls);
        return calls;
    }

    @TestFactory
    Stream<DynamicTest> programs() {
        retries();
        return tests();
    }

    private void retries() {
        strands(
                "three-attempts",
                12,
                "StringBuilder l = new StringBuilder(); long t = 0; for (int a = 0; a < n; a++) { for (int i = 0; i < 3; i++) { try { int p = s.f(a * 10 + i); l.append(a).append(' ').append(p); t += p; break; } catch (RuntimeException e) { l.append('!').append(i); } } } return l.append(t).toString();");
    }
}
