package dev.cleave.broker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.RefusedException;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.config.Bindings;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.RegisterReplica;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Registrations while verbs of the store are under way and do not end. */
@Tag("one-jdk")
final class ProvisionalTest {

    private final InMemoryStore store = new InMemoryStore.Ensemble().open(Runnable::run);
    private final Queue<Runnable> verbs = new ArrayDeque<>(); // of the store, which begin when the test says so
    private final List<Optional<RefusedException>> answers = new ArrayList<>();
    private long now;
    private final Registry registry = new Registry(Bindings.NONE, Duration.ofMinutes(1), () -> now);
    private final Cluster cluster = new Cluster(
            new BrokerMember("b-1", "tcp://b-1:7420", 0, 0),
            store,
            registry,
            new ClusterThreads(Runnable::run, verbs::add),
            () -> now);

    private static final class Server implements Party {

        @Override
        public String address() {
            return "server";
        }

        @Override
        public void changed(ReplicaSet replicas) {}
    }

    private void joined() {
        cluster.start();
        runVerbs();
        cluster.onInterval();
        runVerbs();
        assertThat(cluster.fence()).isPositive();
    }

    private void runVerbs() {
        while (!verbs.isEmpty()) {
            verbs.remove().run();
        }
    }

    private void publish() {
        RegisterReplica said =
                new RegisterReplica(1, "who", "server", 1, List.of("tcp://server:1"), "a.B", List.of(), 60_000);
        cluster.publish(new Server(), said, refusal -> answers.add(Optional.ofNullable(refusal)));
    }

    @Test
    void aServerWaitsForTheStoreForTwoSecondsAtMost() {
        joined();
        publish();
        cluster.onInterval();
        assertThat(answers).isEmpty();

        now += Offers.MOST_WAIT.toNanos();
        cluster.onInterval();

        assertThat(answers).containsExactly(Optional.empty());
        assertThat(cluster.provisional()).isEqualTo(1);
        runVerbs();
        assertThat(cluster.provisional()).isZero();
        assertThat(answers).hasSize(1);
    }

    @Test
    void aServerDoesNotWaitForAStoreThatIsKnownNotToAnswer() {
        joined();
        store.cut();

        publish();

        assertThat(answers).containsExactly(Optional.empty());
        assertThat(cluster.provisional()).isEqualTo(1);
        assertThat(cluster.knowsAll()).isFalse();
        store.heal();
        cluster.onInterval();
        runVerbs();
        assertThat(cluster.provisional()).isZero();
        assertThat(cluster.knowsAll()).isTrue();
    }
}
