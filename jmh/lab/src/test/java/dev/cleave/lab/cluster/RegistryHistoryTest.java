package dev.cleave.lab.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.cluster.ReplicaRecord;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
final class RegistryHistoryTest {

    private static final Key REPLICA = Key.of("replicas", "service", "server");
    private static final Key BROKER = Key.of("brokers", "b-1");

    private long now;
    private final List<String> broken = new ArrayList<>();
    private final RegistryHistory history = new RegistryHistory(() -> now, broken::add);

    private static Entry entry(long version, long incarnation, long epoch) {
        byte[] value = new ReplicaRecord(incarnation, "b-1", epoch, "a.B", null, List.of()).write();
        return new Entry(REPLICA, value, version, 1);
    }

    private static Entry removal(long version) {
        return new Entry(REPLICA, new byte[0], version, 1);
    }

    @Test
    void aHistoryOfConditionalWritesIsRight() {
        Entry first = entry(3, 1, 2);
        Entry second = entry(4, 2, 2);
        history.joined(BROKER, 2);
        history.written("b-1", REPLICA, null, first);
        history.read(REPLICA, first);
        history.written("b-1", REPLICA, first, second);
        history.written("b-1", REPLICA, second, removal(5));
        history.read(REPLICA, null);

        assertThat(broken).isEmpty();
        assertThat(history.operations()).isEqualTo(5);
    }

    @Test
    void aReadOfAnEarlierWriteIsSeen() {
        Entry first = entry(3, 1, 2);
        history.written("b-1", REPLICA, null, first);
        history.written("b-1", REPLICA, first, entry(4, 2, 2));

        history.read(REPLICA, first);

        assertThat(broken).hasSize(1).first().asString().contains("returned version 3, and the last write was 4");
    }

    @Test
    void aWriteOverWhatItsWriterHasNotReadIsSeen() {
        history.written("b-1", REPLICA, null, entry(3, 1, 2));

        history.written("b-1", REPLICA, null, entry(4, 1, 2));

        assertThat(broken).hasSize(1).first().asString().contains("expected version 0, and there was 3");
    }

    @Test
    void anEarlierIncarnationAndAnOldEpochAreSeen() {
        Entry first = entry(3, 2, 2);
        history.joined(BROKER, 2);
        history.written("b-1", REPLICA, null, first);
        history.joined(BROKER, 4);

        history.written("b-1", REPLICA, first, entry(5, 1, 2));

        assertThat(broken).hasSize(2);
        assertThat(broken.get(0)).contains("incarnation 1").contains("over 2");
        assertThat(broken.get(1)).contains("old epoch 2, and it has 4");
    }

    @Test
    void theRemovalOfAnEntryOfABrokerThatHasJustGoneIsSeen() {
        Entry first = entry(3, 1, 2);
        history.written("b-1", REPLICA, null, first);
        history.left("b-1");
        now = Duration.ofSeconds(5).toNanos();

        history.written("b-2", REPLICA, first, removal(4));

        assertThat(broken).hasSize(1).first().asString().contains("b-2 removed").contains("gone for 5000 ms");
    }

    @Test
    void theRemovalOfAnEntryOfALongEndedEpochIsRightThoughTheBrokerHasJustComeBack() {
        Entry first = entry(3, 1, 2);
        history.joined(BROKER, 2);
        history.written("b-1", REPLICA, null, first);
        history.left("b-1");
        now = Duration.ofSeconds(30).toNanos();
        history.joined(BROKER, 4);

        history.written("b-2", REPLICA, first, removal(5));

        assertThat(broken).isEmpty();
    }

    @Test
    void theRemovalOfAnEntryOfABrokerThatWasGoneForAMomentIsSeen() {
        Entry first = entry(3, 1, 2);
        history.joined(BROKER, 2);
        history.written("b-1", REPLICA, null, first);
        history.left("b-1");
        now = Duration.ofSeconds(5).toNanos();
        history.joined(BROKER, 4);

        history.written("b-2", REPLICA, first, removal(5));

        assertThat(broken).hasSize(1).first().asString().contains("gone for 5000 ms");
    }

    @Test
    void theRemovalOfAnEntryOfABrokerThatHasBeenGoneForLongIsRight() {
        Entry first = entry(3, 1, 2);
        history.written("b-1", REPLICA, null, first);
        history.left("b-1");
        now = Duration.ofSeconds(30).toNanos();

        history.written("b-2", REPLICA, first, removal(4));

        assertThat(broken).isEmpty();
    }
}
