package dev.cleave.replica;

import static dev.cleave.replica.SampleReplicas.setOfUp;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class AttemptsTest {

    private static final long TIME = 1_000_000;

    private final Attempts once = Attempts.NONE.and("a");

    @Test
    void countsAndRemembers() {
        assertThat(once.and("b").and("a")).isEqualTo(new Attempts(Set.of("a", "b"), 3, true));
    }

    @Test
    void anAttemptCountsOnceHoweverOftenItIsAskedFor() {
        Attempts lost = Attempts.NONE.failed(FailureClass.LOST, "a", false);

        assertThat(lost.failed(FailureClass.LOST, "a", true).failed(FailureClass.LOST, "a", true))
                .isEqualTo(lost);
        assertThat(lost.begun().failed(FailureClass.LOST, "a", false).made()).isEqualTo(2);
    }

    @Test
    void anAttemptOfWhichItsServerSaysThatNothingRanDoesNotCount() {
        Attempts asked = Attempts.NONE
                .failed(FailureClass.LOST, "a", false)
                .failed(FailureClass.LOST, "a", true)
                .failed(FailureClass.UNSENT, "a", true);

        assertThat(asked).isEqualTo(new Attempts(Set.of("a"), 0, false));
        assertThat(Attempts.NONE.failed(FailureClass.UNSENT, "a", false).made())
                .as("nobody was asked")
                .isEqualTo(1);
    }

    @Test
    void aCallThatMayHaveRunIsIssuedAgainOnlyIfIdempotent() {
        ReplicaSet set = setOfUp("a", "b", "c");

        assertThat(once.next(FailureClass.LOST, true, TIME, set))
                .extracting(Replicas.Replica::name)
                .containsExactly("b", "c");
        assertThat(once.next(FailureClass.LOST, false, TIME, set)).isEmpty();
    }

    @Test
    void aCallThatDidNotRunIsIssuedAgain() {
        ReplicaSet set = setOfUp("a", "b");

        assertThat(once.next(FailureClass.UNSENT, false, TIME, set))
                .extracting(Replicas.Replica::name)
                .containsExactly("b");
        assertThat(once.next(FailureClass.BUSY, false, TIME, set))
                .extracting(Replicas.Replica::name)
                .containsExactly("b");
    }

    @ParameterizedTest
    @EnumSource(names = "FINAL", mode = EnumSource.Mode.EXCLUDE)
    void goesToAReplicaThatHasJustStartedBeforeItGoesBack(FailureClass failure) {
        ReplicaSet set = SampleReplicas.set(
                SampleReplicas.replica("a", ReplicaState.UP), SampleReplicas.replica("b", ReplicaState.STARTING));

        assertThat(once.next(failure, true, TIME, set))
                .extracting(Replicas.Replica::name)
                .containsExactly("b");
    }

    @Test
    void goesBackWhenNoOtherIsLeftUnlessThatWasBusy() {
        ReplicaSet set = setOfUp("a");

        assertThat(once.next(FailureClass.UNSENT, false, TIME, set)).hasSize(1);
        assertThat(once.next(FailureClass.LOST, true, TIME, set)).hasSize(1);
        assertThat(once.next(FailureClass.BUSY, true, TIME, set)).isEmpty();
        assertThat(once.next(FailureClass.LOST, true, TIME, ReplicaSet.unknown("compare")))
                .isEmpty();
    }

    @ParameterizedTest
    @EnumSource(FailureClass.class)
    void endsAfterThreeAttemptsAndAtTheDeadline(FailureClass failure) {
        ReplicaSet set = setOfUp("a", "b", "c", "d");

        assertThat(once.and("b").and("c").next(failure, true, TIME, set)).isEmpty();
        assertThat(once.next(failure, true, 0, set)).isEmpty();
        assertThat(once.next(failure, true, -1, set)).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void whatHasRunIsNeverIssuedAgainUnlessItsResultIsLost(ErrorCode code) {
        assertThat(FailureClass.of(code, Execution.EXECUTED))
                .isEqualTo(code == ErrorCode.CONNECTION_LOST ? FailureClass.LOST : FailureClass.FINAL);
        assertThat(once.next(FailureClass.FINAL, true, TIME, setOfUp("a", "b"))).isEmpty();
        assertThat(Attempts.mayGoOn(FailureClass.LOST, false)).isFalse();
    }

    @ParameterizedTest
    @EnumSource(ErrorCode.class)
    void onlyALostConnectionAndAFullQueueSpeakForAnotherAttempt(ErrorCode code) {
        FailureClass not = FailureClass.of(code, Execution.NOT);
        FailureClass maybe = FailureClass.of(code, Execution.MAYBE);

        switch (code) {
            case CONNECTION_LOST -> {
                assertThat(not).isEqualTo(FailureClass.UNSENT);
                assertThat(maybe).isEqualTo(FailureClass.LOST);
            }
            case OVERLOAD -> {
                assertThat(not).isEqualTo(FailureClass.BUSY);
                assertThat(maybe).isEqualTo(FailureClass.FINAL);
            }
            default -> {
                assertThat(not).isEqualTo(FailureClass.FINAL);
                assertThat(maybe).isEqualTo(FailureClass.FINAL);
            }
        }
    }
}
