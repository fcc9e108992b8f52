package dev.cleave.broker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.store.Entry;
import dev.cleave.broker.store.InMemoryStore;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The file of two brokers; each verb runs, and each notice comes, when the test says so. */
@Tag("one-jdk")
final class SharedFileTest {

    private final InMemoryStore.Ensemble ensemble = new InMemoryStore.Ensemble();
    private final Side one = new Side();
    private final Side two = new Side();

    /** One broker. */
    private final class Side {

        private final InMemoryStore store = ensemble.open(Runnable::run);
        private final Queue<Runnable> verbs = new ArrayDeque<>();
        private final List<String> taken = new ArrayList<>();
        private final List<String> outcomes = new ArrayList<>();
        private final SharedFile file =
                new SharedFile(store, new ClusterThreads(Runnable::run, verbs::add), taken::add);

        private void share(String text, boolean isConnected) {
            file.share(text, isConnected, outcomes::add);
        }

        private void runVerbs() {
            while (!verbs.isEmpty()) {
                try {
                    verbs.remove().run();
                } catch (RuntimeException e) {
                    throw new AssertionError(e);
                }
            }
        }

        /** Tells what the store has now. */
        private void isTold() throws RecordException {
            Entry now = stored();
            if (now != null) {
                file.put(now);
            }
        }
    }

    private @Nullable Entry stored() {
        return ensemble.snapshot().stream().findFirst().orElse(null);
    }

    private String text() throws RecordException {
        Entry now = stored();
        return now == null ? "" : SharedFile.FileRecord.read(now.value()).text();
    }

    @Test
    void isAppliedOnceByEachOtherBroker() throws RecordException {
        one.share("a", true);
        one.runVerbs();
        one.isTold();
        two.isTold();
        two.isTold();

        assertThat(one.outcomes).containsExactly(SharedFile.SHARED);
        assertThat(one.taken).as("it has applied it before").isEmpty();
        assertThat(two.taken).containsExactly("a");
    }

    @Test
    void theLastOfTwoOperatorsWins() throws RecordException {
        one.share("a", true);
        two.share("b", true); // knows nothing of the other one
        one.runVerbs();
        two.runVerbs();
        one.isTold();
        two.isTold();

        assertThat(text()).isEqualTo("b");
        assertThat(one.taken).containsExactly("b");
        assertThat(two.taken).isEmpty();
    }

    @Test
    void aFileThatWaitedForTheStoreGoesBehindOneThatCameMeanwhile() throws RecordException {
        one.store.cut();
        one.share("old", false);
        one.runVerbs();
        assertThat(one.outcomes).contains(SharedFile.LATER).doesNotContain(SharedFile.SHARED);
        two.share("new", true);
        two.runVerbs();

        one.store.heal();
        one.file.onInterval();
        one.runVerbs();

        assertThat(text()).isEqualTo("new");
        assertThat(one.taken).containsExactly("new");
        assertThat(one.outcomes).last().asString().contains("another file");
    }

    @Test
    void aFileThatWaitedForTheStoreIsWrittenWhenItAnswers() throws RecordException {
        one.store.cut();
        one.share("a", false);
        one.runVerbs();
        one.store.heal();

        one.file.onInterval();
        one.runVerbs();

        assertThat(text()).isEqualTo("a");
        assertThat(one.outcomes).last().isEqualTo(SharedFile.SHARED);
    }

    @Test
    void isWrittenAgainWhenTheStoreHasGoneBackToAnEarlierOne() throws RecordException {
        one.share("a", true);
        one.runVerbs();
        List<Entry> snapshot = ensemble.snapshot();
        one.share("b", true);
        one.runVerbs();
        two.isTold();
        ensemble.restore(snapshot);

        one.file.isAll(stored());
        two.file.isAll(stored());
        one.runVerbs();
        two.runVerbs();
        one.isTold();
        two.isTold();

        assertThat(text()).isEqualTo("b");
        assertThat(one.taken).isEmpty();
        assertThat(two.taken).containsExactly("b");
    }

    @Test
    void isWrittenAgainWhenTheStoreHasLostIt() throws RecordException {
        one.share("a", true);
        one.runVerbs();
        ensemble.restore(List.of());

        one.file.isAll(null);
        one.runVerbs();

        assertThat(text()).isEqualTo("a");
    }

    @Test
    void theFileOfALaterNumberIsTakenWhenTheStoreCountsAnew() throws RecordException {
        one.share("a", true);
        one.runVerbs();
        Entry now = stored();
        assertThat(now).isNotNull();
        Entry again = new Entry(now.key(), new SharedFile.FileRecord(2, "b").write(), now.version() - 1, 1);

        one.file.isAll(again);

        assertThat(one.taken).containsExactly("b");
    }

    @Test
    void aLongFileIsNotShared() {
        one.share("ä".repeat(SharedFile.FileRecord.MOST_BYTES / 2 + 1), true);

        assertThat(one.verbs).isEmpty();
        assertThat(one.outcomes.get(0)).startsWith("not shared: ");
    }
}
