package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.NoReplicaException;
import dev.cleave.OneWay;
import dev.cleave.OverloadException;
import dev.cleave.RefusedTypeException;
import dev.cleave.Remote;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One-way calls (R70). */
@Tag("one-jdk")
@Timeout(120)
class OneWayTest extends TcpNodesUnderTest {

    /** Hears and tells. */
    @Remote
    interface Diary {

        @OneWay
        void note(int entry);

        @OneWay
        void keep(Object any);

        int count(int entry);
    }

    @Remote
    interface Answering {

        @OneWay
        int note(int entry);
    }

    private static final class WrittenDiary implements Diary {

        private final List<Integer> entries = new ArrayList<>(); // guarded by itself
        private final Semaphore gate = new Semaphore(Integer.MAX_VALUE / 2);

        @Override
        public void note(int entry) {
            count(entry);
        }

        @Override
        public void keep(Object any) {}

        @Override
        public int count(int entry) {
            gate.acquireUninterruptibly();
            synchronized (entries) {
                entries.add(entry);
                if (entry < 0) {
                    throw new IllegalStateException("entry " + entry);
                }
                return entries.size();
            }
        }

        List<Integer> entries() {
            synchronized (entries) {
                return List.copyOf(entries);
            }
        }
    }

    private final WrittenDiary served = new WrittenDiary();

    private Node node(String name, String file) {
        return node(name, 4, file);
    }

    private Node client() {
        return node("client", "application: test");
    }

    private static List<Integer> upTo(int end) {
        return IntStream.range(0, end).boxed().toList();
    }

    @Test
    void callsReturnBeforeTheyAreExecutedAndKeepTheOrderOfTheirThread() {
        node("one", "application: test").bind("diary", served);
        Node client = client();
        Diary diary = client.lookup("diary", Diary.class);
        served.gate.drainPermits();

        for (int i = 0; i < 100; i++) {
            diary.note(i);
        }
        assertThat(served.entries()).isEmpty();
        served.gate.release(1_000);

        assertThat(diary.count(100)).as("behind all that its thread has noted").isEqualTo(101);
        assertThat(served.entries()).isEqualTo(upTo(101));
        assertThat(client.oneWayFailures()).isZero();
    }

    @Test
    void failuresAreCountedAndNeverThrown() {
        node("one", "application: test").bind("diary", served);
        Node client = client();
        Diary diary = client.lookup("diary", Diary.class);

        diary.note(-1);
        diary.note(-2);
        diary.note(3);

        assertThat(diary.count(4)).isEqualTo(4);
        await().atMost(Duration.ofSeconds(60)).until(() -> client.oneWayFailures() == 2);
        assertThat(client.pendingCalls()).isZero();
    }

    @Test
    void whatCannotBeHandedOverIsThrownAtOnce() {
        Node server = node("one", "application: test");
        server.bind("diary", served);
        Node client = client();
        Diary diary = client.lookup("diary", Diary.class);

        assertThatThrownBy(() -> diary.keep((Runnable) () -> {})).isInstanceOf(RefusedTypeException.class);
        server.close();
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThatThrownBy(() -> diary.note(1)).isInstanceOf(NoReplicaException.class));
    }

    @Test
    void whoMakesTooManyWaitsUntilThereIsRoom() throws Exception {
        node("one", "application: test").bind("diary", served);
        Node client = client();
        Diary diary = client.lookup("diary", Diary.class);
        served.gate.drainPermits();
        Thread noting = new Thread(() -> IntStream.range(0, 400).forEach(diary::note));
        noting.start();
        await().atMost(Duration.ofSeconds(60)).until(() -> client.pendingCalls() == 256);

        assertThat(noting.isAlive()).isTrue();
        served.gate.release(10_000);
        noting.join(20_000);

        assertThat(noting.isAlive()).isFalse();
        await().atMost(Duration.ofSeconds(60)).until(() -> client.pendingCalls() == 0);
        assertThat(served.entries()).isEqualTo(upTo(400));
    }

    @Test
    void whoFindsNoRoomWithinTheDeadlineIsTold() {
        node("one", "application: test").bind("diary", served);
        Node client = node("client", "services: {diary: {methods: {keep: {deadline: 100ms}}}}");
        Diary diary = client.lookup("diary", Diary.class);
        served.gate.drainPermits();
        for (int i = 0; i < 256; i++) {
            diary.note(i);
        }

        assertThatThrownBy(() -> diary.keep("x"))
                .isInstanceOfSatisfying(OverloadException.class, e -> assertThat(e.notExecuted())
                        .isTrue())
                .hasMessageContaining("256 one-way calls of this node are unanswered");

        served.gate.release(10_000);
    }

    @Test
    void closingWaitsUntilAllHaveBeenHeard() {
        node("one", "application: test").bind("diary", served);
        Node client = client();
        Diary diary = client.lookup("diary", Diary.class);
        for (int i = 0; i < 200; i++) {
            diary.note(i);
        }

        client.close();

        assertThat(served.entries()).isEqualTo(upTo(200));
    }

    @Test
    void aMethodWithAResultCannotBeOneWay() {
        Node one = node("one", "application: test");

        assertThatThrownBy(() -> one.bind("answering", (Answering) entry -> entry))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Answering.note: a one-way call has no result (expected: void, is int)");
        Node other = node("other", "services: {diary: {methods: {count: {style: one-way}}}}");
        assertThatThrownBy(() -> other.bind("diary", served))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Diary.count: a one-way call has no result (expected: void, is int)");
    }
}
