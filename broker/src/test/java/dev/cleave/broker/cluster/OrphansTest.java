package dev.cleave.broker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import dev.cleave.config.Bindings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
final class OrphansTest {

    private static final long LONG = Cluster.ORPHANED.toNanos();

    private final Registry registry = new Registry(Bindings.NONE, Duration.ofMinutes(1), () -> 0);
    private final LiveBrokers members = new LiveBrokers();
    private final StoredReplicas replicas = new StoredReplicas("one", registry, members);
    private final Orphans ofOne = new Orphans("one", replicas, members);
    private final Orphans ofTwo = new Orphans("two", replicas, members);

    private void isMember(String broker) throws RecordException {
        members.put(new Entry(Key.of("brokers", broker), new BrokerRecord("tcp://" + broker + ":1", 5).write(), 1, 1));
    }

    private void isAt(String replica, String broker) throws RecordException {
        ReplicaRecord record = new ReplicaRecord(1, broker, 1, "a.B", null, List.of());
        replicas.put(new Entry(StoredReplicas.key("who", replica), record.write(), 2, 1));
    }

    @Test
    void aReplicaIsRemovedByOneBrokerWhenItsOwnHasBeenGoneForLong() throws RecordException {
        isMember("one");
        isMember("two");
        isAt("here", "one");
        for (int i = 0; i < 20; i++) {
            isAt("orphan-" + i, "gone");
        }
        assertThat(ofOne.due(5)).isEmpty();
        assertThat(ofTwo.due(5)).isEmpty();
        assertThat(ofOne.due(LONG)).as("a moment before").isEmpty();

        List<Entry> one = ofOne.due(LONG + 5);
        List<Entry> two = ofTwo.due(LONG + 5);

        assertThat(one).isNotEmpty();
        assertThat(two).isNotEmpty();
        List<Entry> both = new ArrayList<>(one);
        both.addAll(two);
        assertThat(both).hasSize(20).doesNotHaveDuplicates();
    }

    @Test
    void aBrokerThatCameBackBetweenIsGoneAnew() throws RecordException {
        isMember("one");
        isAt("orphan", "gone");
        assertThat(ofOne.due(0)).isEmpty();

        ofOne.isBack("gone"); // and is gone again

        assertThat(ofOne.due(LONG)).isEmpty();
        assertThat(ofOne.due(2 * LONG)).hasSize(1);
    }

    @Test
    void aBrokerThatMayHaveComeBackWhileTheStoreDidNotAnswerIsGoneAnew() throws RecordException {
        isMember("one");
        isAt("orphan", "gone");
        assertThat(ofOne.due(0)).isEmpty();

        ofOne.hasMissed();

        assertThat(ofOne.due(LONG)).isEmpty();
        assertThat(ofOne.due(2 * LONG)).hasSize(1);
    }

    @Test
    void nothingIsRemovedWhileNoBrokerIsKnown() throws RecordException {
        isAt("orphan", "gone");
        assertThat(ofOne.due(0)).isEmpty();

        assertThat(ofOne.due(LONG)).isEmpty();
    }
}
