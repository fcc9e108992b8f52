package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.plan.verdict.Verdict;
import dev.cleave.agent.rule.Rule;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;

/** Programs with streams, by their names, and what is to become of them. */
final class StreamPrograms {

    static final String LIST = "List<Integer> xs = new ArrayList<>(); for (int i = 0; i < n; i++) xs.add(i * 2);\n";

    private final Conformance conformance = new Conformance();
    private final Map<String, Runnable> tests = new TreeMap<>();

    private void add(String name, String body, Runnable test) {
        conformance.addBody(name, body);
        if (tests.put(name, test) != null) {
            throw new IllegalArgumentException("name: " + name + " (expected: one of its own)");
        }
    }

    /** The same, and calls overlap. */
    void overlaps(String name, String body) {
        add(name, body, () -> conformance.overlaps(name));
    }

    /** The same, and calls are prefetched. */
    void prefetched(String name, String body) {
        add(name, body, () -> {
            conformance.overlaps(name);
            assertThat(conformance.verdicts(name))
                    .as(name)
                    .anyMatch(verdict -> verdict.outcome() == Verdict.Outcome.PREFETCHED);
        });
    }

    /** The same, and no two calls overlap because of a rule. */
    void sequential(String name, Rule rule, String body) {
        add(name, body, () -> {
            conformance.staysSequential(name);
            assertThat(conformance.verdicts(name)).as(name).anySatisfy(verdict -> assertThat(verdict.refusal())
                    .as(verdict.toString())
                    .isNotNull()
                    .satisfies(refusal -> assertThat(refusal.rule()).isEqualTo(rule)));
        });
    }

    /** The same, and no two calls overlap because a test at run time does not hold. */
    void declines(String name, String body) {
        add(name, body, () -> conformance.staysSequential(name));
    }

    /** The same. */
    void same(String name, String body) {
        add(name, body, () -> conformance.check(name));
    }

    /** The same, and with a window of 64 a run for {@code n} takes at most this many round trips. */
    void takes(String name, int n, int atMost, String body) {
        add(name, body, () -> conformance.takes(name, n, atMost));
    }

    Stream<DynamicTest> tests() {
        return tests.entrySet().stream().map(e -> DynamicTest.dynamicTest(e.getKey(), e.getValue()::run));
    }
}
