package dev.cleave.broker.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.broker.store.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ClusterThreadsTest {

    private final List<Runnable> onStore = new ArrayList<>();
    private final List<List<Runnable>> onWriters = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    private final List<String> done = new ArrayList<>();
    private final ClusterThreads threads = new ClusterThreads(
            Runnable::run,
            onStore::add,
            onWriters.stream().<Executor>map(each -> each::add).toList());

    @Test
    void verbsOfOneReplicaRunInOrderAndThoseOfSeveralSideBySide() {
        for (int i = 0; i < 30; i++) {
            Key key = StoredReplicas.key("service", "replica-" + i);
            assertThat(threads.onStore(key, "publish", () -> done.add("publish " + key)))
                    .isTrue();
            assertThat(threads.onStore(key, "withdraw", () -> done.add("withdraw " + key)))
                    .isTrue();
        }

        assertThat(onStore).isEmpty();
        assertThat(onWriters).allSatisfy(writer -> assertThat(writer).isNotEmpty());
        onWriters.forEach(writer -> writer.forEach(Runnable::run));
        assertThat(done).hasSize(60);
        for (int i = 0; i < 30; i++) {
            Key key = StoredReplicas.key("service", "replica-" + i);
            assertThat(done).containsSubsequence("publish " + key, "withdraw " + key);
        }
    }

    @Test
    void otherVerbsHaveAThreadOfTheirOwn() {
        assertThat(threads.onStore("join", () -> done.add("join"))).isTrue();

        assertThat(onWriters).allSatisfy(writer -> assertThat(writer).isEmpty());
        onStore.forEach(Runnable::run);
        assertThat(done).containsExactly("join");
    }
}
