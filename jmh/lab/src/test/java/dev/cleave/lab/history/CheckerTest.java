package dev.cleave.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.CallException;
import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.lab.history.Checker.Invariant;
import dev.cleave.lab.history.Outcome.End;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CheckerTest {

    private static final long SECOND = 1_000_000_000L;

    private final Checker checker = new Checker(call -> call * 2, 3, Duration.ofSeconds(10));

    private static Outcome outcome(boolean idempotent, End end, long result) {
        return new Outcome(7, idempotent, end, result, SECOND, 2 * SECOND);
    }

    private List<Invariant> broken(Outcome outcome, int executions) {
        return checker.check(List.of(7L), List.of(outcome), Map.of(7L, executions)).stream()
                .map(Checker.Broken::invariant)
                .toList();
    }

    @Test
    void whatWasPromisedBreaksNothing() {
        assertThat(broken(outcome(false, End.OK, 14), 1)).isEmpty();
        assertThat(broken(outcome(true, End.OK, 14), 3)).isEmpty();
        assertThat(broken(outcome(false, End.IN_DOUBT, 0), 0)).isEmpty();
        assertThat(broken(outcome(false, End.IN_DOUBT, 0), 1)).isEmpty();
        assertThat(broken(outcome(false, End.NOT_EXECUTED, 0), 0)).isEmpty();
    }

    @Test
    void executionsAreCounted() {
        assertThat(broken(outcome(false, End.OK, 14), 2)).containsExactly(Invariant.AT_MOST_ONCE);
        assertThat(broken(outcome(false, End.IN_DOUBT, 0), 2)).containsExactly(Invariant.AT_MOST_ONCE);
        assertThat(broken(outcome(true, End.OK, 14), 4)).containsExactly(Invariant.FEW_ATTEMPTS);
        assertThat(broken(outcome(true, End.NOT_EXECUTED, 0), 1)).containsExactly(Invariant.NOT_EXECUTED_IS_NOT);
    }

    @Test
    void aResultIsTheRightOneAndComesOfAnExecution() {
        assertThat(broken(outcome(false, End.OK, 15), 1)).containsExactly(Invariant.RESULT_OF_AN_EXECUTION);
        assertThat(broken(outcome(false, End.OK, 14), 0)).containsExactly(Invariant.RESULT_OF_AN_EXECUTION);
        assertThat(broken(outcome(false, End.EXECUTED, 0), 0)).containsExactly(Invariant.RESULT_OF_AN_EXECUTION);
    }

    @Test
    void eachCallEndsOnceAndInTime() {
        Outcome ok = outcome(false, End.OK, 14);
        Outcome late = new Outcome(7, false, End.IN_DOUBT, 0, 0, 11 * SECOND);

        assertThat(broken(late, 1)).containsExactly(Invariant.ONE_OUTCOME_IN_TIME);
        assertThat(checker.check(List.of(7L), List.of(ok, ok), Map.of(7L, 1)))
                .extracting(Checker.Broken::story)
                .containsExactly("ended twice");
        assertThat(checker.check(List.of(7L, 8L), List.of(ok), Map.of(7L, 1)))
                .hasToString("[ONE_OUTCOME_IN_TIME: call 8: never ended]");
    }

    @Test
    void failuresSayHowACallEnded() {
        CallSite site = new CallSite("s", "A.b", null, false);

        assertThat(End.of(new CallException("x", Execution.NOT_EXECUTED, site, null)))
                .isEqualTo(End.NOT_EXECUTED);
        assertThat(End.of(new CallException("x", Execution.MAYBE_EXECUTED, site, null)))
                .isEqualTo(End.IN_DOUBT);
        assertThat(End.of(new CallException("x", Execution.EXECUTED, site, null)))
                .isEqualTo(End.EXECUTED);
        assertThat(broken(outcome(false, End.of(new IllegalStateException()), 0), 0))
                .containsExactly(Invariant.KNOWN_END);
    }
}
