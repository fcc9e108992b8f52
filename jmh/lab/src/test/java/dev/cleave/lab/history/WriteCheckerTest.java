package dev.cleave.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.lab.history.Checker.Invariant;
import dev.cleave.lab.history.Outcome.End;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WriteCheckerTest {

    private final WriteChecker checker = new WriteChecker(call -> call / 10, result -> (int) result);

    private static Outcome ok(long call, int place, long began, long ended) {
        return new Outcome(call, false, End.OK, place, began, ended);
    }

    private List<Invariant> broken(List<Outcome> outcomes, Map<Long, List<Long>> written) {
        return checker.check(outcomes, written).stream()
                .map(Checker.Broken::invariant)
                .toList();
    }

    @Test
    void callsAtTheSameTimeAreWrittenInAnyOrder() {
        assertThat(broken(List.of(ok(1, 1, 0, 5), ok(2, 0, 1, 6)), Map.of(0L, List.of(2L, 1L))))
                .isEmpty();
    }

    @Test
    void aCallIsWrittenBehindThoseThatHadEnded() {
        assertThat(broken(List.of(ok(1, 1, 0, 5), ok(2, 0, 6, 7)), Map.of(0L, List.of(2L, 1L))))
                .containsExactly(Invariant.ORDER);
        assertThat(broken(List.of(ok(1, 0, 0, 5), ok(12, 0, 6, 7)), Map.of(0L, List.of(1L), 1L, List.of(12L))))
                .isEmpty();
    }

    @Test
    void anUpdateThatIsLostIsMissed() {
        assertThat(broken(List.of(ok(1, 0, 0, 5), ok(2, 0, 1, 6)), Map.of(0L, List.of(2L))))
                .containsExactly(Invariant.WRITTEN);
        assertThat(broken(List.of(ok(1, 0, 0, 5)), Map.of())).containsExactly(Invariant.WRITTEN);
    }

    @Test
    void whatFailedIsWrittenAsItsFailureSays() {
        Outcome executed = new Outcome(1, false, End.EXECUTED, 0, 0, 1);
        Outcome not = new Outcome(2, false, End.NOT_EXECUTED, 0, 0, 1);
        Outcome doubt = new Outcome(3, false, End.IN_DOUBT, 0, 0, 1);

        assertThat(broken(List.of(executed, not, doubt), Map.of(0L, List.of(1L))))
                .isEmpty();
        assertThat(broken(List.of(executed, not, doubt), Map.of(0L, List.of(2L, 3L))))
                .containsExactly(Invariant.WRITTEN, Invariant.NOT_EXECUTED_IS_NOT);
    }
}
