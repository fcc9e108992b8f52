package dev.cleave.agent.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.agent.rule.Rule;
import dev.cleave.rt.Strands;

/** Tests of programs whose calls strands send, or do not send (R71, R72). */
abstract class StrandPrograms extends ProgramTests {

    private final int n;

    /**
     * Prepares the tests.
     *
     * @param n the argument of the programs in runs whose round trips are counted
     */
    StrandPrograms(int n) {
        this.n = n;
    }

    /** Checks that a program does the same both ways. */
    void check(String name) {
        conformance.check(name);
    }

    /** Runs a rewritten program before calls are counted, if it has to show itself first. */
    void runFirst(Class<?> rewritten) {}

    /** Runs a rewritten program, and returns the round trips that it takes. */
    int roundTrips(Class<?> rewritten) {
        return TimedService.run(rewritten, n);
    }

    /** Adds a program that does the same both ways, and that takes at most {@code atMost} round trips. */
    final void trips(String name, int atMost, String body) {
        add(name, body);
        test(name, () -> {
            check(name);
            Class<?> rewritten = conformance.programs().rewritten("p." + Conformance.className(name));
            runFirst(rewritten);
            assertThat(roundTrips(rewritten))
                    .as(name + " in round trips: " + conformance.verdicts(name))
                    .isLessThanOrEqualTo(atMost);
        });
    }

    /**
     * Adds a program that does the same both ways. Strands send calls of it, the program makes none itself that a strand should
     * have sent and gives none up, and it takes at most {@code atMost} round trips.
     */
    final void strands(String name, int atMost, String body) {
        add(name, body);
        test(name, () -> {
            check(name);
            Class<?> rewritten = conformance.programs().rewritten("p." + Conformance.className(name));
            runFirst(rewritten);
            long sent = Strands.sent();
            long missed = Strands.missed();
            long unclaimed = Strands.unclaimed();
            int took = roundTrips(rewritten);
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

    /**
     * Adds a program that does the same both ways, and whose calls wait for one another: it takes as many round trips as the program as
     * written.
     */
    final void oneByOne(String name, String body) {
        add(name, body);
        test(name, () -> {
            check(name);
            String program = "p." + Conformance.className(name);
            Class<?> rewritten = conformance.programs().rewritten(program);
            runFirst(rewritten);
            assertThat(roundTrips(rewritten))
                    .as(name + " in round trips: " + conformance.verdicts(name))
                    .isEqualTo(roundTrips(conformance.programs().written(program)));
        });
    }

    /** Adds a program that does the same both ways, and of which no strand sends a call. */
    final void without(String name, String body) {
        add(name, body);
        test(name, () -> checkWithout(name));
    }

    /** Adds a program as {@link #without(String, String)}; the report has to name a rule as the reason. */
    final void without(String name, Rule rule, String body) {
        add(name, body);
        test(name, () -> {
            checkWithout(name);
            refusedBy(name, rule);
        });
    }

    private void checkWithout(String name) {
        long sent = Strands.sent();
        check(name);
        assertThat(Strands.sent() - sent).as("calls sent by strands").isZero();
    }
}
