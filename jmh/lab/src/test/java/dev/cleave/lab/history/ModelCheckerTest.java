package dev.cleave.lab.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.lab.history.Checker.Broken;
import dev.cleave.lab.history.Checker.Invariant;
import dev.cleave.lab.history.Outcome.End;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ModelCheckerTest {

    private static final ModelChecker CHECKER = new ModelChecker(call -> 1);

    private static List<Outcome> inOrder(Long... calls) {
        Model model = new Model();
        return Arrays.stream(calls)
                .map(call -> new Outcome(call, false, End.OK, model.apply(call), 10 * call, 10 * call + 5))
                .toList();
    }

    private static List<Invariant> broken(List<Outcome> outcomes, Long... done) {
        return CHECKER.check(outcomes, Map.of(0L, List.of(done))).stream()
                .map(Broken::invariant)
                .distinct()
                .toList();
    }

    @Test
    void whatWasDoneInOrderIsKept() {
        Long[] calls = LongStream.range(0, 64).boxed().toArray(Long[]::new);

        assertThat(broken(inOrder(calls), calls)).isEmpty();
    }

    @Test
    void aResultOfAnotherStateIsALostUpdate() {
        for (long call = 0; call < 4; call++) {
            Outcome wrong = new Outcome(call, false, End.OK, 77, 0, 5);

            assertThat(broken(List.of(wrong), call)).containsExactly(Invariant.WRITTEN);
        }
    }

    @Test
    void whatWasDoneTwiceOrNeverOrThoughNotExecutedIsSeen() {
        assertThat(broken(inOrder(1L), 1L, 1L)).contains(Invariant.AT_MOST_ONCE);
        assertThat(broken(inOrder(1L, 2L), 1L)).containsExactly(Invariant.WRITTEN);
        assertThat(broken(List.of(new Outcome(1, false, End.NOT_EXECUTED, 0, 0, 5)), 1L))
                .containsExactly(Invariant.NOT_EXECUTED_IS_NOT);
    }

    @Test
    void callsThatWereDoneInAnotherOrderAreSeen() {
        assertThat(broken(inOrder(4L, 8L), 8L, 4L)).contains(Invariant.ORDER);
    }

    @Test
    void callsInDoubtMayBeDoneOrNot() {
        List<Outcome> doubt = List.of(new Outcome(1, false, End.IN_DOUBT, 0, 0, 5));

        assertThat(broken(doubt)).isEmpty();
        assertThat(broken(doubt, 1L)).isEmpty();
    }

    @Test
    void aCallInDoubtMayBeDoneBehindThoseThatItsCallerMadeWhenItHadBeenTold() {
        Model model = new Model();
        Outcome doubt = new Outcome(1, false, End.IN_DOUBT, 0, 0, 20);
        Outcome inFlight = new Outcome(2, false, End.OK, model.apply(2L), 5, 25); // which has been made anew since

        assertThat(broken(List.of(doubt, inFlight), 2L, 1L)).isEmpty();
    }

    @Test
    void aCallInDoubtIsNotDoneBehindOneThatHadEndedBeforeItsCallerWasTold() {
        Model model = new Model();
        Outcome doubt = new Outcome(1, false, End.IN_DOUBT, 0, 0, 30);
        Outcome inFlight = new Outcome(2, false, End.OK, model.apply(2L), 5, 25);

        assertThat(broken(List.of(doubt, inFlight), 2L, 1L)).containsExactly(Invariant.ORDER);
    }

    @Test
    void aCallInDoubtThatIsDoneLateExcusesNoOther() {
        Model model = new Model();
        Outcome doubt = new Outcome(1, false, End.IN_DOUBT, 0, 0, 20);
        Outcome third = new Outcome(3, false, End.OK, model.apply(3L), 15, 40);
        long unused = model.apply(1L);
        Outcome second = new Outcome(2, false, End.OK, model.apply(2L), 5, 45);

        assertThat(broken(List.of(doubt, second, third), 3L, 1L, 2L)).containsExactly(Invariant.ORDER);
    }
}
