package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cleave.Async;
import dev.cleave.CallException;
import dev.cleave.Chained;
import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.DeadlineException;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.config.Bindings;
import dev.cleave.testing.Seed;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for chains over any transport: the server executes what a sequential caller would have had executed. */
@Timeout(120)
abstract class ChainContract extends NodesUnderTest {

    /** Keeps a book. */
    @Remote
    @Chained
    interface Ledger {

        void put(int entry);

        int count(int entry);

        void keep(Object any);
    }

    /** Writes down what it executes, fails and waits as told. */
    static final class WrittenLedger implements Ledger {

        final List<Integer> entries = new ArrayList<>(); // guarded by itself
        final AtomicInteger inside = new AtomicInteger();
        final AtomicInteger most = new AtomicInteger();
        final Semaphore gate = new Semaphore(Integer.MAX_VALUE / 2);
        final CountDownLatch entered = new CountDownLatch(1);
        volatile int failing = -1;
        volatile int slow = -1;

        @Override
        public void put(int entry) {
            count(entry);
        }

        @Override
        public int count(int entry) {
            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
            try {
                entered.countDown();
                gate.acquireUninterruptibly();
                if (entry == slow) {
                    takesItsTime();
                }
                synchronized (entries) {
                    entries.add(entry);
                }
                if (entry == failing) {
                    throw new IllegalStateException("entry " + entry);
                }
                return entry * 2;
            } finally {
                inside.decrementAndGet();
            }
        }

        /** Goes on when it is interrupted, as it is when its deadline has passed. */
        private static void takesItsTime() {
            long until = System.nanoTime() + java.util.concurrent.TimeUnit.MILLISECONDS.toNanos(6_500);
            while (System.nanoTime() - until < 0) {
                java.util.concurrent.locks.LockSupport.parkNanos(until - System.nanoTime());
                boolean unused = Thread.interrupted();
            }
        }

        @Override
        public void keep(Object any) {
            put(-1);
        }

        List<Integer> entries() {
            synchronized (entries) {
                return List.copyOf(entries);
            }
        }
    }

    private final WrittenLedger served = new WrittenLedger();

    private Node serve(String name, int workers, int queue, Ledger ledger) {
        Node node = node(NodeOptions.DEFAULT.withName(name).withCapacity(workers, queue));
        node.bind("ledger", ledger);
        return node;
    }

    private Ledger lookup(String file) {
        client = node(NodeOptions.DEFAULT.withName("client").withBindings(Bindings.parse(file, "cleave.yaml")));
        return client.lookup("ledger", Ledger.class);
    }

    private Ledger lookup() {
        return lookup("application: test");
    }

    private static Handle send(Ledger ledger, Chain chain, String name, Class<?> type, Object argument) {
        try {
            Method send = ledger.getClass().getMethod(name + "$chain", Chain.class, type);
            send.setAccessible(true);
            return (Handle) send.invoke(ledger, chain, argument);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private static Handle put(Ledger ledger, Chain chain, int entry) {
        return send(ledger, chain, "put", int.class, entry);
    }

    /** What a rewritten loop does: sends up to a window ahead; goes on as the function says when a call has failed. */
    private static int loop(Ledger ledger, int calls, int window, Function<Throwable, Boolean> goesOn) {
        Chain chain = Chain.stopping();
        Deque<Handle> sent = new ArrayDeque<>();
        int ahead = 0;
        for (int i = 0; i < calls; i++) {
            if (chain.isBroken() && sent.isEmpty()) {
                chain.renew();
            }
            while (ahead < calls && sent.size() < window && !chain.isBroken()) {
                sent.add(put(ledger, chain, ahead++));
            }
            try {
                Handle handle = sent.poll();
                if (handle == null) {
                    ahead = i + 1;
                    ledger.put(i);
                } else {
                    handle.awaitVoid();
                }
            } catch (Throwable e) {
                if (!goesOn.apply(e)) {
                    sent.forEach(Handle::discard);
                    chain.end();
                    return i;
                }
            }
        }
        chain.end();
        return calls;
    }

    private static List<Integer> upTo(int end) {
        return IntStream.range(0, end).boxed().toList();
    }

    @Test
    void callsOfAChainRunInOrderOneAtATime() {
        serve("one", 4, 1024, served);
        serve("two", 4, 1024, served);
        Ledger ledger = lookup();

        assertThat(loop(ledger, 1000, 64, e -> false)).isEqualTo(1000);

        assertThat(served.entries()).isEqualTo(upTo(1000));
        assertThat(served.most).hasValue(1);
    }

    @Test
    void nothingBehindAFailureIsExecuted() {
        serve("one", 4, 1024, served);
        Ledger ledger = lookup();
        for (int failing : new int[] {0, 1, 5, 63, 64, 199}) {
            served.entries.clear();
            served.failing = failing;
            List<Throwable> thrown = new ArrayList<>();

            assertThat(loop(ledger, 200, 64, e -> !thrown.add(e))).isEqualTo(failing);

            assertThat(thrown).singleElement().isInstanceOf(IllegalStateException.class);
            assertThat(served.entries()).isEqualTo(upTo(failing + 1));
        }
    }

    @Test
    void callsBehindAFailureThatTheProgramGetsOverAreMadeAnewInOrder() {
        serve("one", 4, 1024, served);
        Ledger ledger = lookup();
        served.failing = 20;
        List<Throwable> thrown = new ArrayList<>();

        assertThat(loop(ledger, 200, 16, thrown::add)).isEqualTo(200);

        assertThat(thrown).hasSize(1);
        assertThat(served.entries()).isEqualTo(upTo(200));
    }

    @Test
    void aServerWithoutRoomMakesNobodyFail() {
        serve("one", 1, 3, served);
        Ledger ledger = lookup();

        assertThat(loop(ledger, 200, 32, e -> false)).isEqualTo(200);

        assertThat(served.entries()).isEqualTo(upTo(200));
    }

    @Test
    void aWorkerIsNotHeldByAChainThatWaits() throws Throwable {
        serve("one", 1, 64, served);
        Ledger ledger = lookup();
        Chain chain = Chain.stopping();
        put(ledger, chain, 0).awaitVoid();

        ledger.put(7);
        put(ledger, chain, 1).awaitVoid();
        chain.end();

        assertThat(served.entries()).containsExactly(0, 7, 1);
    }

    @Test
    void aRefusedArgumentEndsTheChain() throws Throwable {
        serve("one", 4, 64, served);
        Ledger ledger = lookup();
        Chain chain = Chain.stopping();
        Handle first = put(ledger, chain, 0);
        Handle refused = send(ledger, chain, "keep", Object.class, (Runnable) () -> {});
        Handle behind = put(ledger, chain, 2);

        first.awaitVoid();
        Throwable thrown = catchThrowable(refused::awaitVoid);
        behind.discard();
        chain.end();

        assertThat(thrown).isInstanceOf(dev.cleave.RefusedTypeException.class);
        assertThat(served.entries()).containsExactly(0);
    }

    @Test
    void aCallThatTakesTooLongEndsTheChain() {
        serve("one", 4, 64, served);
        Ledger ledger = lookup("services: {ledger: {deadline: 5s}}");
        served.slow = 5;
        List<Throwable> thrown = new ArrayList<>();

        assertThat(loop(ledger, 20, 16, e -> !thrown.add(e))).isEqualTo(5);

        assertThat(thrown).singleElement().isInstanceOf(DeadlineException.class);
        await().atMost(Duration.ofSeconds(60)).until(() -> served.entries().size() >= 6);
        ledger.put(99);
        assertThat(served.entries()).containsExactly(0, 1, 2, 3, 4, 5, 99);
    }

    @Test
    void aDeadlineCountsFromTheEndOfTheCallBefore() {
        serve("one", 1, 64, served);
        Ledger ledger = lookup("services: {ledger: {deadline: 5s}}");
        served.gate.drainPermits();
        Thread opener = new Thread(() -> {
            for (int i = 0; i < 3; i++) {
                try {
                    new CountDownLatch(1).await(2, java.util.concurrent.TimeUnit.SECONDS);
                } catch (InterruptedException e) {
                    return;
                }
                served.gate.release();
            }
        });
        opener.start();

        assertThat(loop(ledger, 3, 8, e -> false)).as("three times 2 s").isEqualTo(3);

        opener.interrupt();
        assertThat(served.entries()).isEqualTo(upTo(3));
    }

    @Test
    void aCancelledCallEndsTheChainAlsoBehindOneThatRuns() throws Throwable {
        serve("one", 4, 64, served);
        Ledger ledger = lookup();
        served.gate.drainPermits();
        Chain chain = Chain.stopping();
        Handle running = put(ledger, chain, 0);
        Handle waiting = put(ledger, chain, 1);
        Handle last = put(ledger, chain, 2);
        assertThat(running.isDone()).isFalse();
        client.lookup("ledger", Ledger.class);
        Thread discarding = new Thread(() -> {
            waiting.discard();
            last.discard();
        });
        served.entered.await();
        discarding.start();
        discarding.join(10_000);
        assertThat(discarding.isAlive())
                .as("both were refused though the first still runs")
                .isFalse();
        served.gate.release(100);

        running.awaitVoid();
        chain.end();

        ledger.put(9);
        assertThat(served.entries()).containsExactly(0, 9);
    }

    @Test
    void callsOfTwoStubsAreNoChain() throws Throwable {
        serve("one", 4, 64, served);
        Ledger ledger = lookup();
        Ledger other = client.lookup("ledger", Ledger.class);
        Chain chain = Chain.stopping();

        Handle sent = put(ledger, chain, 0);

        assertThat(put(other, chain, 1)).isNull();
        sent.awaitVoid();
        chain.end();
    }

    @Test
    void whenTheServerDiesWhatWasSentIsInDoubtAndWhatWasNotIsNot() throws Throwable {
        Node one = serve("one", 1, 64, served);
        Ledger ledger = lookup();
        served.gate.drainPermits();
        served.gate.release(3);
        Chain chain = Chain.stopping();
        List<Handle> sent = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            sent.add(put(ledger, chain, i));
        }
        for (int i = 0; i < 3; i++) {
            sent.get(i).awaitVoid();
        }

        one.close();
        WrittenLedger second = new WrittenLedger();
        serve("two", 1, 64, second);

        for (int i = 3; i < 10; i++) {
            Throwable thrown = catchThrowable(sent.get(i)::awaitVoid);
            assertThat(thrown).isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.maybeExecuted())
                    .isTrue());
        }
        Handle unsent = put(ledger, chain, 10);
        assertThat(second.entries()).isEmpty();
        await().atMost(Duration.ofSeconds(60)).until(() -> broker.replicas("ledger") == 1);
        unsent.awaitVoid();
        chain.end();
        served.gate.release(100);

        assertThat(second.entries()).as("only what was not sent").containsExactly(10);
        assertThat(served.entries()).startsWith(0, 1, 2).hasSizeLessThanOrEqualTo(4);
    }

    @Test
    void anUnsentCallThatIsGivenUpIsNeverExecuted() throws Throwable {
        serve("one", 1, 64, served);
        Ledger ledger = lookup();
        Chain chain = Chain.stopping();
        served.failing = 0;
        Throwable thrown = catchThrowable(put(ledger, chain, 0)::awaitVoid);
        Handle unsent = put(ledger, chain, 1);

        unsent.discard();
        chain.end();

        assertThat(thrown).isInstanceOf(IllegalStateException.class);
        assertThat(catchThrowable(unsent::awaitVoid))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.notExecuted()).isTrue());
        assertThat(served.entries()).containsExactly(0);
    }

    @Test
    void callsThatWereSentAheadAndRefusedAreMadeAnewAtTheirPlace() throws Throwable {
        serve("one", 1, 1, served);
        Ledger ledger = lookup();
        served.gate.drainPermits();
        Method send = ledger.getClass().getMethod("count$send", int.class);
        send.setAccessible(true);
        List<Handle> sent = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            sent.add((Handle) send.invoke(ledger, i));
        }
        served.gate.release(100);

        for (int i = 0; i < 6; i++) {
            assertThat(sent.get(i).awaitInt()).isEqualTo(2 * i);
        }
        assertThat(served.entries()).containsExactlyInAnyOrderElementsOf(upTo(6));
    }

    @Test
    void callsOfAGroupThatAreSentAheadRunInOrderOnOneReplicaThoughSomeFail() throws Throwable {
        serve("one", 4, 1024, served);
        serve("two", 4, 1024, served);
        Ledger ledger = lookup("services: {ledger: {methods: {count: {style: async, group: writes}}}}");
        served.failing = 30;
        Method send = ledger.getClass().getMethod("count$send", int.class);
        send.setAccessible(true);
        List<Handle> sent = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            sent.add((Handle) send.invoke(ledger, i));
        }

        for (int i = 0; i < 200; i++) {
            Throwable thrown = catchThrowable(sent.get(i)::awaitInt);
            assertThat(thrown != null).isEqualTo(i == 30);
        }
        assertThat(served.entries()).isEqualTo(upTo(200));
        assertThat(served.most).hasValue(1);
    }

    @Test
    void callsOfAGroupThatAreStartedKeepTheirOrderAndThatOfCallsAwaitedBesideThem() throws Throwable {
        serve("one", 4, 1024, served);
        Ledger ledger = lookup("services: {ledger: {methods: {count: {style: async, group: writes}}}}");
        List<Pending<Integer>> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            int entry = i;
            if (i % 10 == 9) {
                assertThat(ledger.count(entry)).isEqualTo(2 * entry);
            } else {
                sent.add(Cleave.async(() -> ledger.count(entry)));
            }
        }
        for (Pending<Integer> each : sent) {
            each.await();
        }

        assertThat(served.entries()).isEqualTo(upTo(100));
        assertThat(served.most).hasValue(1);
    }

    /** Each method writes one entry. */
    @Remote
    @Async(group = "writes")
    interface Diary {

        int write(int entry);

        void note(int entry);

        CompletableFuture<Integer> writeLater(int entry);

        int send(int entry);
    }

    private static final class WrittenDiary implements Diary {

        final WrittenLedger book = new WrittenLedger();

        @Override
        public int write(int entry) {
            return book.count(entry);
        }

        @Override
        public void note(int entry) {
            book.count(entry);
        }

        @Override
        public CompletableFuture<Integer> writeLater(int entry) {
            return CompletableFuture.completedFuture(book.count(entry));
        }

        @Override
        public int send(int entry) {
            return book.count(entry);
        }
    }

    /** Ways to make a call of a group; each returns what awaits it. */
    private interface Making {

        Supplier<Integer> make(Diary diary, int entry) throws Exception;
    }

    private static final List<Making> WAYS = List.of(
            (diary, entry) -> {
                int result = diary.write(entry);
                return () -> result;
            },
            (diary, entry) -> Cleave.async(() -> diary.write(entry))::await,
            (diary, entry) -> diary.writeLater(entry)::join,
            (diary, entry) -> {
                Pending<Void> noted = Cleave.async((Cleave.Action) () -> diary.note(entry));
                return () -> {
                    noted.await();
                    return 2 * entry;
                };
            },
            (diary, entry) -> {
                Method send = diary.getClass().getMethod("send$send", int.class);
                send.setAccessible(true);
                Handle handle = (Handle) send.invoke(diary, entry);
                return () -> {
                    try {
                        return handle.awaitInt();
                    } catch (Throwable e) {
                        throw new AssertionError(e);
                    }
                };
            });

    /** Makes 100 calls in one thread, the i-th in the way that is chosen for it. */
    private void hundredKeepTheirOrder(IntUnaryOperator ways) throws Exception {
        WrittenDiary written = new WrittenDiary();
        Node server = node(NodeOptions.DEFAULT.withName("diary").withCapacity(4, 1024));
        server.bind("diary", written);
        client = node(NodeOptions.DEFAULT.withName("client"));
        Diary diary = client.lookup("diary", Diary.class);

        List<Supplier<Integer>> made = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            made.add(WAYS.get(ways.applyAsInt(i)).make(diary, i));
        }

        for (int i = 0; i < 100; i++) {
            assertThat(made.get(i).get()).isEqualTo(2 * i);
        }
        assertThat(written.book.entries()).isEqualTo(upTo(100));
        assertThat(written.book.most).hasValue(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4})
    void callsOfAGroupKeepTheirOrderHoweverTheyAreMade(int way) throws Exception {
        hundredKeepTheirOrder(i -> way);
    }

    @Test
    void callsOfAGroupThatAreMadeInDifferentWaysKeepTheirOrder() throws Exception {
        long seed = Seed.of(ChainContract.class);
        System.out.println("ChainContract seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        hundredKeepTheirOrder(i -> random.nextInt(10) == 0 ? 0 : random.nextInt(1, WAYS.size()));
    }

    @Test
    void aGroupWithoutRoomAtTheServerKeepsItsOrder() throws Throwable {
        serve("one", 1, 3, served);
        Ledger ledger = lookup("services: {ledger: {methods: {count: {style: async, group: writes}}}}");
        Method send = ledger.getClass().getMethod("count$send", int.class);
        send.setAccessible(true);
        List<Handle> sent = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            sent.add((Handle) send.invoke(ledger, i));
        }

        for (int i = 0; i < 40; i++) {
            assertThat(sent.get(i).awaitInt()).isEqualTo(2 * i);
        }
        assertThat(served.entries()).isEqualTo(upTo(40));
    }
}
