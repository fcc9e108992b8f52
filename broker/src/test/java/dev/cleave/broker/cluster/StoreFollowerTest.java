package dev.cleave.broker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.InMemoryStore;
import dev.cleave.broker.store.Key;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
final class StoreFollowerTest {

    private static final byte[] VALUE = {1};

    private final InMemoryStore.Ensemble ensemble = new InMemoryStore.Ensemble();
    private final InMemoryStore store = ensemble.open(Runnable::run);
    private final InMemoryStore other = ensemble.open(Runnable::run);
    private final Queue<Runnable> verbs = new ArrayDeque<>();
    private final List<String> told = new ArrayList<>();
    private long now;
    private final StoreFollower follower =
            new StoreFollower(store, new ClusterThreads(Runnable::run, verbs::add), () -> now, new Told());

    private final class Told implements StoreFollower.News {

        @Override
        public void onAll(List<Entry> all, Set<Key> except) {
            told.add("all " + all.stream().map(Entry::key).toList() + " but " + except);
        }

        @Override
        public void onPut(Entry entry) {
            told.add("put " + entry.key());
        }

        @Override
        public void onRemoved(Key key, long version) {
            told.add("removed " + key);
        }

        @Override
        public void onFresh() {
            told.add("fresh");
        }
    }

    private void runVerbs() {
        while (!verbs.isEmpty()) {
            verbs.remove().run();
        }
    }

    @Test
    void tellsAllEntriesAndThenEachChange() {
        other.put(Key.of("a"), VALUE, null);
        assertThat(follower.isStale()).isTrue();

        follower.follow();
        follower.follow();
        runVerbs();
        Entry entry = other.put(Key.of("b"), VALUE, null);
        other.put(Key.of("b"), new byte[0], entry);

        assertThat(told).containsExactly("all [a] but []", "fresh", "put b", "removed b");
        assertThat(follower.isStale()).isFalse();
    }

    @Test
    void triesAgainToFollowAStoreThatDoesNotAnswer() {
        store.cut();
        follower.follow();
        runVerbs();
        assertThat(told).isEmpty();
        store.heal();

        follower.follow();
        runVerbs();

        assertThat(told).containsExactly("all [] but []", "fresh");
    }

    @Test
    void readsAllEntriesOnceAMinuteAndSaysWhatHasChangedMeanwhile() {
        follower.follow();
        runVerbs();
        told.clear();
        follower.readAgain();
        assertThat(verbs).as("too early").isEmpty();
        now += StoreFollower.READ_AGAIN.toNanos();

        follower.readAgain();
        follower.readAgain();
        other.put(Key.of("a"), VALUE, null);
        runVerbs();

        assertThat(told).containsExactly("put a", "all [a] but [a]");
        follower.readAgain();
        assertThat(verbs).isEmpty();
    }

    @Test
    void aReadingThatAllEntriesOfTheWatchHaveOvertakenDoesNotCount() {
        Queue<Runnable> registry = new ArrayDeque<>();
        StoreFollower slow =
                new StoreFollower(store, new ClusterThreads(registry::add, Runnable::run), () -> now, new Told());
        slow.follow();
        registry.forEach(Runnable::run);
        registry.clear();
        told.clear();
        now += StoreFollower.READ_AGAIN.toNanos();
        slow.readAgain();
        Runnable read = registry.remove();

        store.heal(); // all entries are told
        registry.forEach(Runnable::run);
        read.run();

        assertThat(told).containsExactly("all [] but []", "fresh");
    }

    @Test
    void isStaleWhileTheStoreIsCut() {
        follower.follow();
        runVerbs();

        store.cut();
        assertThat(follower.isStale()).isTrue();
        store.heal();

        assertThat(follower.isStale()).isFalse();
    }
}
