package dev.cleave.broker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.broker.store.Key;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
final class PublisherTest {

    private static final Key KEY = StoredReplicas.key("who", "server");

    private final InMemoryStore.Ensemble ensemble = new InMemoryStore.Ensemble();
    private final InMemoryStore store = ensemble.open(Runnable::run);
    private final InMemoryStore other = ensemble.open(Runnable::run);
    private final Publisher publisher =
            new Publisher(store, "b-1", new BrokerRecord("tcp://b-1:1", 0), broker -> false);

    private static ReplicaRecord record(long incarnation) {
        return new ReplicaRecord(incarnation, "b-2", 1, "a.B", null, List.of());
    }

    @Test
    void removesAnOrphanUnlessItsBrokerHasComeBack() {
        Entry orphan = other.put(KEY, record(1).write(), null);
        long unused = other.ephemeral(Key.of("brokers", "b-2"), new BrokerRecord("tcp://b-2:1", 0).write());

        publisher.removeOrphan(orphan);
        assertThat(store.get(KEY)).contains(orphan);
        other.close();
        publisher.removeOrphan(orphan);

        assertThat(store.get(KEY)).isEmpty();
    }

    @Test
    void removesNoOrphanThatWasWrittenAgain() {
        Entry orphan = other.put(KEY, record(1).write(), null);
        Entry again = other.put(KEY, record(2).write(), orphan);

        publisher.removeOrphan(orphan);

        assertThat(store.get(KEY)).contains(again);
    }
}
