package dev.cleave.broker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.broker.store.Key;
import dev.cleave.config.Bindings;
import dev.cleave.metrics.Refusals;
import dev.cleave.migration.Grants;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The broker that moves waiting calls, and its token in the store. */
@Tag("one-jdk")
final class OwnersTest {

    private static final long STARTED = 1_000_000;
    private static final Key KEY = Key.of(Owners.OWNERS, "work");

    private final InMemoryStore.Ensemble ensemble = new InMemoryStore.Ensemble();
    private final InMemoryStore other = ensemble.open(Runnable::run);
    private final Cluster cluster = new Cluster(
            new BrokerMember("b-1", "tcp://b-1:7420", 0, STARTED),
            ensemble.open(Runnable::run),
            new Registry(Bindings.NONE, Duration.ofMinutes(1), () -> 0),
            new ClusterThreads(Runnable::run, Runnable::run),
            () -> 0);

    private long token() {
        cluster.start();
        cluster.onInterval();
        long unused = cluster.movesWith("work"); // writes the entry
        return cluster.movesWith("work");
    }

    @Test
    void theTokenFollowsThatOfTheOwnerBefore() {
        Entry unused = other.put(KEY, new Owners.OwnerRecord("b-0", 1, STARTED + 7).write(), null);

        assertThat(token()).isEqualTo(STARTED + 8);
        assertThat(cluster.hasGiven("work", STARTED + 8)).isTrue();
        assertThat(cluster.hasGiven("work", STARTED + 9)).isFalse();
    }

    @Test
    void anEntryWhoseTokenIsTooFarAheadOfTheClockIsReplaced() {
        long refused = Refusals.of("cluster.record");
        Entry unused = other.put(KEY, new Owners.OwnerRecord("b-0", 1, Long.MAX_VALUE).write(), null);

        assertThat(token()).isEqualTo(STARTED);
        assertThat(Refusals.of("cluster.record")).isGreaterThan(refused);
        assertThat(cluster.hasGiven("work", Long.MAX_VALUE)).isFalse();
        assertThat(Grants.Fences.isPossible(STARTED, STARTED)).isTrue();
    }
}
