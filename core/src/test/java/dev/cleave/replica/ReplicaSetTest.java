package dev.cleave.replica;

import static dev.cleave.replica.SampleReplicas.replica;
import static dev.cleave.replica.SampleReplicas.set;
import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Route;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaSetTest {

    @Test
    void sortsByName() {
        assertThat(set(replica("c", ReplicaState.UP), replica("a", ReplicaState.DOWN))
                        .replicas())
                .extracting(Replicas.Replica::name)
                .containsExactly("a", "c");
    }

    @Test
    void newCallsGoToThoseThatAreUp() {
        ReplicaSet set = set(
                replica("a", ReplicaState.STARTING),
                replica("b", ReplicaState.UP),
                replica("c", ReplicaState.SUSPECT),
                replica("d", ReplicaState.DRAINING),
                replica("e", ReplicaState.DOWN));

        assertThat(set.live()).extracting(Replicas.Replica::name).containsExactly("b");
    }

    @Test
    void newCallsGoToThoseThatHaveStartedWhenNoneIsUp() {
        ReplicaSet set = set(replica("a", ReplicaState.STARTING), replica("b", ReplicaState.SUSPECT));

        assertThat(set.live()).extracting(Replicas.Replica::name).containsExactly("a");
    }

    @Test
    void whenAllAreSuspectTheyGetTheCallsAllTheSame() {
        ReplicaSet set = set(replica("a", ReplicaState.SUSPECT), replica("b", ReplicaState.DOWN));

        assertThat(set.live()).extracting(Replicas.Replica::name).containsExactly("a");
        assertThat(set(replica("b", ReplicaState.DRAINING)).live()).isEmpty();
    }

    @Test
    void whatSomeDoNotTakeGoesToThoseThatHaveJustStartedButNotToSuspects() {
        ReplicaSet set = set(
                replica("a", ReplicaState.UP),
                replica("b", ReplicaState.UP),
                replica("c", ReplicaState.STARTING),
                replica("d", ReplicaState.SUSPECT));

        assertThat(but(set, "a")).containsExactly("b");
        assertThat(but(set, "a", "b")).containsExactly("c");
        assertThat(but(set, "a", "b", "c")).isEmpty();
        assertThat(but(set(replica("c", ReplicaState.STARTING), replica("d", ReplicaState.SUSPECT)), "c"))
                .isEmpty();
        assertThat(but(set(replica("d", ReplicaState.SUSPECT), replica("e", ReplicaState.SUSPECT)), "d"))
                .containsExactly("e");
    }

    private static List<String> but(ReplicaSet set, String... passed) {
        return set.liveBut(replica -> List.of(passed).contains(replica.name())).stream()
                .map(Replicas.Replica::name)
                .toList();
    }

    @Test
    void anEmptySetIsBelievedOnlyWhereReplicasWereTakenBack() {
        ReplicaSet good = set(replica("a", ReplicaState.UP));
        ReplicaSet lost = set();
        ReplicaSet takenBack = new ReplicaSet(lost.service(), lost.version(), lost.route(), List.of(), true);

        assertThat(lost.orLastGood(good)).isSameAs(good);
        assertThat(takenBack.orLastGood(good)).isSameAs(takenBack);
        assertThat(good.orLastGood(lost)).isSameAs(good);
        assertThat(lost.orLastGood(takenBack)).isSameAs(lost);
    }

    @Test
    void takesWhatTheBrokerSaid() {
        Replicas frame = new Replicas(7, "compare", 3, Route.RELAY, List.of(replica("a", ReplicaState.UP)));

        ReplicaSet set = ReplicaSet.of(frame);

        assertThat(set).isEqualTo(new ReplicaSet("compare", 3, Route.RELAY, frame.replicas()));
        assertThat(set.isKnown()).isTrue();
        assertThat(ReplicaSet.unknown("compare").isKnown()).isFalse();
    }
}
