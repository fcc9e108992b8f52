package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.OverloadException;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.Serial;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects that serve one request at a time. */
@Tag("one-jdk")
@Timeout(120)
class SerialTest extends TcpNodesUnderTest {

    @Remote
    interface Ledger {

        int enter(int amount);

        CompletableFuture<Integer> enterLater(int amount);

        int size();
    }

    /** Has no locks, and finds out if it should have had some. */
    @Serial
    static class PlainLedger implements Ledger {

        private final AtomicInteger inside = new AtomicInteger();
        private final List<CompletableFuture<Integer>> later = new ArrayList<>();
        final List<Integer> entered = new ArrayList<>();
        final Semaphore gate = new Semaphore(0);

        @Override
        public int enter(int amount) {
            if (inside.getAndIncrement() != 0) {
                throw new IllegalStateException("two at a time");
            }
            entered.add(amount);
            if (amount < 0) {
                gate.acquireUninterruptibly();
            }
            Thread.yield();
            inside.decrementAndGet();
            return entered.size();
        }

        @Override
        public CompletableFuture<Integer> enterLater(int amount) {
            enter(amount);
            inside.incrementAndGet(); // until it is completed
            CompletableFuture<Integer> result = new CompletableFuture<>();
            later.add(result);
            new Thread(() -> {
                        gate.acquireUninterruptibly();
                        inside.decrementAndGet();
                        result.complete(amount);
                    })
                    .start();
            return result;
        }

        @Override
        public int size() {
            return entered.size();
        }
    }

    private final PlainLedger ledger = new PlainLedger();

    private Node node(String name, String file) {
        return node(name, 4, file);
    }

    private Ledger stub(String client) {
        return node(client, "application: test").lookup("ledger", Ledger.class);
    }

    @Test
    void oneRequestAtATimeFromManyCallersEachInItsOrder() throws InterruptedException {
        node("server", "application: test").bind("ledger", ledger);
        List<Ledger> stubs = List.of(stub("a"), stub("b"), stub("c"));
        List<Thread> threads = new ArrayList<>();
        for (int caller = 0; caller < stubs.size(); caller++) {
            int base = caller * 1_000;
            Ledger stub = stubs.get(caller);
            Thread thread = new Thread(() -> {
                List<Pending<Integer>> sent = new ArrayList<>();
                for (int i = 0; i < 200; i++) {
                    int amount = base + i;
                    sent.add(Cleave.async(() -> stub.enter(amount)));
                }
                sent.forEach(Pending::await);
            });
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(ledger.entered).hasSize(600);
        for (int caller = 0; caller < 3; caller++) {
            int base = caller * 1_000;
            assertThat(ledger.entered.stream().filter(e -> e / 1_000 * 1_000 == base))
                    .as("in the order in which they were sent")
                    .containsExactlyElementsOf(
                            IntStream.range(base, base + 200).boxed().toList());
        }
    }

    @Test
    void theSameObjectUnderTwoNamesIsStillOne() {
        Node server = node("server", "application: test");
        server.bind("ledger", ledger);
        server.bind("book", ledger);
        Node client = node("client", "application: test");
        Ledger one = client.lookup("ledger", Ledger.class);
        Ledger other = client.lookup("book", Ledger.class);
        List<Pending<Integer>> sent = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            sent.add(Cleave.async(() -> one.enter(1)));
            sent.add(Cleave.async(() -> other.enter(2)));
        }

        assertThat(sent.stream().map(Pending::await)).hasSize(600);
        assertThat(ledger.entered).hasSize(600);
    }

    @Test
    void aRequestEndsWhenItsFutureDoes() {
        node("server", "application: test").bind("ledger", ledger);
        Ledger stub = stub("client");
        CompletableFuture<Integer> later = stub.enterLater(7);
        Pending<Integer> behind = Cleave.async(() -> stub.enter(8));

        ledger.gate.release();

        assertThat(behind.await()).isEqualTo(2);
        assertThat(later.join()).isEqualTo(7);
        assertThat(ledger.entered).containsExactly(7, 8);
    }

    @Test
    void thoseThatWaitAreBoundedAndThoseCancelledLeave() {
        node("server", "services: {ledger: {workers: 2, queue: 10}}").bind("ledger", ledger);
        Ledger stub = stub("client");
        Pending<Integer> blocked = Cleave.async(() -> stub.enter(-1));
        await().until(ledger.gate::hasQueuedThreads);
        List<Pending<Integer>> waiting = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int amount = i;
            waiting.add(Cleave.async(() -> stub.enter(amount)));
        }
        assertThatThrownBy(() -> waiting.get(11).await())
                .isInstanceOf(OverloadException.class)
                .hasMessageContaining("the queue of the server is full");
        waiting.get(3).cancel();
        Pending<Integer> last = Cleave.async(() -> stub.enter(100));
        Pending<Integer> behind = Cleave.async(() -> stub.enter(101));
        assertThatThrownBy(behind::await) // the server has seen what was sent before
                .isInstanceOf(OverloadException.class);

        ledger.gate.release();

        assertThat(last.await()).isPositive();
        assertThat(blocked.await()).isEqualTo(1);
        assertThat(ledger.entered)
                .startsWith(-1, 0, 1, 2, 4)
                .doesNotContain(3, 11, 101)
                .endsWith(100);
    }
}
