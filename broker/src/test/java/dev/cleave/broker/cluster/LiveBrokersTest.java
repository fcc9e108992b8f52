package dev.cleave.broker.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.Key;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
final class LiveBrokersTest {

    private static final Key ONE = Key.of("brokers", "one");

    private final LiveBrokers members = new LiveBrokers();

    private static Entry entry(Key key, String endpoint, long version) {
        return new Entry(key, new BrokerRecord(endpoint, 5).write(), version, 1);
    }

    @Test
    void aBrokerIsAMemberFromItsEntryToItsRemoval() throws RecordException {
        assertThat(members.put(entry(ONE, "tcp://one:1", 7))).isTrue();
        assertThat(members.put(entry(ONE, "tcp://one:1", 7))).as("told twice").isFalse();
        assertThat(members.all().values()).containsExactly(new BrokerMember("one", "tcp://one:1", 7, 5));
        assertThat(members.keys()).containsExactly(ONE);

        assertThat(members.remove(ONE, 8)).isTrue();
        assertThat(members.remove(ONE, 8)).as("told twice").isFalse();

        assertThat(members.get("one")).isNull();
    }

    @Test
    void theRemovalOfAnEarlierEpochIsOld() throws RecordException {
        members.put(entry(ONE, "tcp://one:1", 9));

        assertThat(members.remove(ONE, 8)).isFalse();

        assertThat(members.get("one")).isNotNull();
    }

    @Test
    void whatIsNoRecordChangesNothing() {
        assertThatThrownBy(() -> members.put(new Entry(ONE, new byte[] {1, 2}, 1, 1)))
                .isInstanceOf(RecordException.class);

        assertThat(members.all()).isEmpty();
        assertThat(LiveBrokers.isBroker(Key.of("brokers"))).isFalse();
        assertThat(LiveBrokers.isBroker(Key.of("replicas", "who"))).isFalse();
    }
}
