package dev.cleave.broker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.RefusedException;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.broker.store.Key;
import dev.cleave.config.Bindings;
import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.RegisterReplica;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The registrations of one broker, beside writes of others into the same store; verbs begin when the test says so. */
@Tag("one-jdk")
final class OffersTest {

    private static final Key KEY = StoredReplicas.key("who", "server");

    private final InMemoryStore store = new InMemoryStore.Ensemble().open(Runnable::run);
    private final Queue<Runnable> verbs = new ArrayDeque<>();
    private final Registry registry = new Registry(Bindings.NONE, Duration.ofMinutes(1), () -> 0);
    private final LiveBrokers members = new LiveBrokers();
    private final StoredReplicas stored = new StoredReplicas("b-1", registry, members);
    private final Publisher publisher =
            new Publisher(store, "b-1", new BrokerRecord("tcp://b-1:1", 0), broker -> members.get(broker) != null);
    private final Offers offers = new Offers(stored, publisher, new ClusterThreads(Runnable::run, verbs::add), () -> 0);
    private final Server server = new Server();
    private final List<Optional<RefusedException>> answers = new ArrayList<>();

    private static final class Server implements Party {

        @Override
        public String address() {
            return "server";
        }

        @Override
        public void changed(ReplicaSet replicas) {}
    }

    @BeforeEach
    void anotherBrokerIsAMember() throws RecordException {
        members.put(new Entry(Key.of("brokers", "b-2"), new BrokerRecord("tcp://b-2:1", 0).write(), 1, 1));
    }

    private static RegisterReplica said(long incarnation) {
        return new RegisterReplica(
                1, "who", "server", incarnation, List.of("tcp://server:1"), "a.B", List.of(), 60_000);
    }

    private void publish(long incarnation) {
        offers.publish(server, said(incarnation), true, refusal -> answers.add(Optional.ofNullable(refusal)));
    }

    private void runVerbs() {
        while (!verbs.isEmpty()) {
            verbs.remove().run();
        }
    }

    /** Another broker writes, and the store tells of it. */
    private void writes(String home, long incarnation) throws RecordException {
        ReplicaRecord record = new ReplicaRecord(incarnation, home, 1, "a.B", null, List.of("tcp://server:1"));
        tells(store.put(KEY, record.write(), store.get(KEY).orElse(null)));
    }

    private void tells(Entry entry) throws RecordException {
        StoredReplicas.Stored now = stored.put(entry);
        if (now != null) {
            offers.onPut(KEY, now);
        }
    }

    private ReplicaRecord inStore() throws RecordException {
        return ReplicaRecord.read(store.get(KEY).orElseThrow().value());
    }

    private List<String> shown() {
        return registry.lookup("who").replicas().stream()
                .map(each -> each.name())
                .toList();
    }

    @Test
    void aRegistrationIsAnsweredWhenTheStoreHasIt() throws RecordException {
        publish(3);
        assertThat(answers).isEmpty();

        runVerbs();

        assertThat(answers).containsExactly(Optional.empty());
        assertThat(inStore().home()).isEqualTo("b-1");
        assertThat(inStore().epoch()).isEqualTo(store.fence());
        assertThat(offers.provisional()).isZero();
    }

    @Test
    void anEarlierProcessIsRefusedAndTheLaterOneIsShown() throws RecordException {
        writes("b-2", 9);

        publish(3);
        runVerbs();

        assertThat(answers).hasSize(1);
        assertThat(answers.get(0))
                .get()
                .extracting(Throwable::getMessage)
                .asString()
                .contains("incarnation 3");
        assertThat(offers.has(KEY)).isFalse();
        assertThat(shown()).containsExactly("server");
    }

    @Test
    void aRegistrationYieldsToTheOneAtAnotherBroker() throws RecordException {
        publish(3);
        runVerbs();

        writes("b-2", 3);

        assertThat(offers.has(KEY)).isFalse();
        assertThat(shown()).containsExactly("server");
        offers.withdraw(server, said(3));
        runVerbs();
        assertThat(inStore().home())
                .as("not removed by the broker that it has left")
                .isEqualTo("b-2");
    }

    @Test
    void theEntryOfAnEarlierProcessAtAnotherBrokerIsReplaced() throws RecordException {
        publish(3);
        runVerbs();

        writes("b-2", 2);
        runVerbs();

        assertThat(inStore().home()).isEqualTo("b-1");
        assertThat(inStore().incarnation()).isEqualTo(3);
    }

    @Test
    void anEntryThatAnotherBrokerRemovesIsWrittenAgain() throws RecordException {
        publish(3);
        runVerbs();
        Entry removed = store.put(KEY, new byte[0], store.get(KEY).orElseThrow());

        assertThat(stored.remove(KEY, removed.version())).isTrue();
        assertThat(offers.onRemoved(KEY, removed.version())).isFalse();
        runVerbs();

        assertThat(inStore().home()).isEqualTo("b-1");
    }

    @Test
    void aRegistrationThatIsTakenBackIsRemovedFromTheStore() {
        publish(3);
        runVerbs();

        offers.withdraw(server, said(3));
        runVerbs();

        assertThat(store.get(KEY)).isEmpty();
        assertThat(offers.has(KEY)).isFalse();
    }

    @Test
    void aReplicaThatLeavesAnotherBrokerWhileItRegistersHereInVainIsShownNoMore() throws RecordException {
        writes("b-2", 3);
        assertThat(shown()).containsExactly("server");
        publish(3);
        Entry removed = store.put(KEY, new byte[0], store.get(KEY).orElseThrow());
        stored.remove(KEY, removed.version());
        offers.onRemoved(KEY, removed.version());
        store.cut();
        runVerbs();
        assertThat(offers.provisional()).isEqualTo(1);

        offers.withdraw(server, said(3)); // the server was gone before it could be told

        assertThat(shown()).isEmpty();
    }

    @Test
    void anEntryOfThisBrokerThatAnOldSnapshotBringsBackIsRemoved() throws RecordException {
        writes("b-1", 3);
        Entry old = store.get(KEY).orElseThrow();

        offers.onAll(Map.of(KEY, old), Set.of(), store.fence());
        runVerbs();

        assertThat(store.get(KEY)).isEmpty();
    }

    @Test
    void aRegistrationThatAllEntriesLackIsWritten() throws RecordException {
        publish(3);
        runVerbs();
        store.put(KEY, new byte[0], store.get(KEY).orElseThrow());

        offers.onAll(Map.of(), Set.of(KEY), store.fence());
        runVerbs();
        assertThat(store.get(KEY)).as("it may have changed since").isEmpty();
        offers.onAll(Map.of(), Set.of(), store.fence());
        runVerbs();

        assertThat(inStore().incarnation()).isEqualTo(3);
    }
}
