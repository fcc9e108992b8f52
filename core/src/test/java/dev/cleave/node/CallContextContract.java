package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Async;
import dev.cleave.CallContext;
import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.DeadlineException;
import dev.cleave.Inline;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.call.Handle;
import dev.cleave.call.Stub;
import java.rmi.RemoteException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a served method knows of its call, and how it hears that nobody wants its result any more. */
@Timeout(180)
abstract class CallContextContract extends NodesUnderTest {

    private static final long PATIENCE = 20;

    /** Says what it knows, or waits. */
    @Remote
    public interface Witness {

        String attachment(String key);

        @Async
        String attachmentAhead(String key);

        long remainingMillis();

        String caller();

        String inline(String key);

        /** Waits until it is interrupted. */
        int hang();

        /** Ends when its call is cancelled, on another thread. */
        CompletableFuture<Integer> hangLater();

        /** Waits like {@link #hang}, at another node. */
        int hangBehind();

        String attachmentBehind(String key);

        /** What {@link #remainingMillis} says at another node; {@code own} is the deadline of that call, 0 for none. */
        long remainingBehind(long own);
    }

    /** As RMI has them. */
    public interface OldWitness extends java.rmi.Remote {

        int add(int a, int b) throws RemoteException;
    }

    static final class RealWitness implements Witness {

        final CountDownLatch hangs = new CountDownLatch(1);
        final CountDownLatch ended = new CountDownLatch(1);
        final CountDownLatch told = new CountDownLatch(1);
        final AtomicReference<CallContext> kept = new AtomicReference<>();
        volatile boolean wasInterrupted;
        volatile Witness behind;

        @Override
        public String attachment(String key) {
            return CallContext.current().attachments().get(key);
        }

        @Override
        public String attachmentAhead(String key) {
            return attachment(key);
        }

        @Override
        public long remainingMillis() {
            return CallContext.current().remaining().toMillis();
        }

        @Override
        public String caller() {
            CallContext call = CallContext.current();
            return call.caller().getName() + " " + call.service() + " "
                    + call.method().getName();
        }

        @Override
        @Inline
        public String inline(String key) {
            return attachment(key);
        }

        @Override
        public int hang() {
            CallContext call = CallContext.current();
            kept.set(call);
            call.onCancel(told::countDown);
            hangs.countDown();
            try {
                new Semaphore(0).acquire();
            } catch (InterruptedException e) {
                wasInterrupted = true;
            } finally {
                ended.countDown();
            }
            return 0;
        }

        @Override
        public CompletableFuture<Integer> hangLater() {
            CompletableFuture<Integer> result = new CompletableFuture<>();
            result.whenComplete((value, thrown) -> ended.countDown());
            CallContext.current().onCancel(told::countDown);
            hangs.countDown();
            return result;
        }

        @Override
        public int hangBehind() {
            try {
                return behind.hang();
            } finally {
                ended.countDown();
            }
        }

        @Override
        public String attachmentBehind(String key) {
            return behind.attachment(key);
        }

        @Override
        public long remainingBehind(long own) {
            return (own == 0 ? behind : Cleave.withDeadline(behind, Duration.ofMillis(own))).remainingMillis();
        }
    }

    static final class RealOldWitness implements OldWitness {

        @Override
        public int add(int a, int b) {
            return a + b;
        }
    }

    private final RealWitness served = new RealWitness();
    private Node server;
    private Witness witness;

    @BeforeEach
    void connect() {
        server = node(NodeOptions.DEFAULT.withName("server").withCapacity(2, 64));
        server.bind("witness", served);
        client = node(NodeOptions.DEFAULT.withName("client"));
        witness = client.lookup("witness", Witness.class);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        assertThat(latch.await(PATIENCE, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void saysWhoCallsWhat() {
        assertThat(witness.caller()).isEqualTo("client witness caller");
    }

    @Test
    void thereIsNoneOutsideOfAServedMethod() {
        assertThat(CallContext.find()).isEmpty();
        assertThatThrownBy(CallContext::current)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no remote call is served by this thread");
    }

    @Test
    void attachmentsTravelWithTheCallsOfOneStubAlone() throws Throwable {
        Witness named = Cleave.withAttachments(witness, Map.of("tenant", "acme", "level", "1"));
        Witness higher = Cleave.withAttachments(named, Map.of("level", "2"));

        assertThat(named.attachment("level")).isEqualTo("1");
        assertThat(higher.attachment("level")).isEqualTo("2");
        assertThat(higher.attachment("tenant")).isEqualTo("acme");
        assertThat(higher.inline("tenant")).isEqualTo("acme");
        assertThat(witness.attachment("tenant")).isNull();
        assertThat(Cleave.async(() -> named.attachment("tenant")).await()).isEqualTo("acme");
        Handle ahead = (Handle) named.getClass()
                .getMethod("attachmentAhead" + Stub.SEND_SUFFIX, String.class)
                .invoke(named, "tenant");
        assertThat(ahead.await()).isEqualTo("acme");
    }

    @Test
    void aCallOfAServedMethodTakesTheTraceOverAndNothingElse() {
        served.behind = server.lookup("witness", Witness.class);
        Witness named = Cleave.withAttachments(witness, Map.of("traceparent", "00-1-2-01", "tenant", "acme"));

        assertThat(named.attachmentBehind("traceparent")).isEqualTo("00-1-2-01");
        assertThat(named.attachmentBehind("tenant")).isNull();
    }

    @Test
    void tooManyAttachmentsAreRefusedBeforeAnythingIsSent() {
        assertThatThrownBy(() -> Cleave.withAttachments(witness, Map.of("k", "x".repeat(9_000))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1 attachments of 9005 bytes");
        assertThatThrownBy(() -> Cleave.withAttachments("no stub", Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: a stub");
    }

    @Test
    void aStubHasADeadlineOfItsOwn() throws Exception {
        assertThat(witness.remainingMillis()).isBetween(10_000L, 30_000L);
        Witness hasty = Cleave.withDeadline(witness, Duration.ofSeconds(9));
        assertThat(hasty.remainingMillis()).isBetween(1L, 9_000L);

        Witness shortest = Cleave.withDeadline(hasty, Duration.ofMillis(300));
        assertThatThrownBy(shortest::hang)
                .isInstanceOf(DeadlineException.class)
                .hasMessageContaining("deadline of 300 ms passed");
        await(served.ended);
        await(served.told);
        assertThat(served.wasInterrupted).isTrue();
        assertThat(served.kept.get().isCancelled()).isTrue();
        org.awaitility.Awaitility.await()
                .until(() -> served.kept.get().remaining().isZero());
    }

    /** A call that a served method makes has no more time than is left to the served one, unless its stub has its own. */
    @Test
    void aCallOfAServedMethodHasTheTimeThatIsLeft() {
        served.behind = server.lookup("witness", Witness.class);

        assertThat(witness.remainingBehind(0)).isBetween(10_000L, 30_000L);
        Witness hasty = Cleave.withDeadline(witness, Duration.ofSeconds(9));
        assertThat(hasty.remainingBehind(0)).isBetween(1L, 9_000L);
        assertThat(hasty.remainingBehind(7_000)).isBetween(1L, 7_000L);
        assertThat(hasty.remainingBehind(20_000)).isBetween(9_001L, 20_000L);
    }

    @Test
    void aNestedCallEndsWithTheCallThatMadeIt() throws Exception {
        served.behind = server.lookup("witness", Witness.class);

        assertThatThrownBy(() ->
                        Cleave.withDeadline(witness, Duration.ofMillis(300)).hangBehind())
                .isInstanceOf(DeadlineException.class);

        await(served.ended);
        await(served.told);
        assertThat(served.kept.get().isCancelled()).isTrue();
    }

    @Test
    void cancelReachesTheMethodThatRuns() throws Exception {
        Pending<Integer> pending = Cleave.async(witness::hang);
        await(served.hangs);
        assertThat(served.kept.get().isCancelled()).isFalse();

        assertThat(pending.cancel()).isTrue();

        await(served.ended);
        await(served.told);
        assertThat(served.wasInterrupted).isTrue();
        assertThat(served.kept.get().isCancelled()).isTrue();
        assertThatThrownBy(pending::await)
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.maybeExecuted()).isTrue());
        assertThat(witness.remainingMillis())
                .as("its worker is free and not interrupted")
                .isPositive();
    }

    @Test
    void cancelOfAFutureReachesTheMethod() throws Exception {
        CompletableFuture<Integer> future = Cleave.async(witness::hang).toCompletableFuture();
        await(served.hangs);

        assertThat(future.cancel(true)).isTrue();

        await(served.ended);
        assertThat(served.wasInterrupted).isTrue();
    }

    @Test
    void cancelReachesAFutureThatIsNotComplete() throws Exception {
        CompletableFuture<Integer> future = witness.hangLater();
        await(served.hangs);

        assertThat(future.cancel(true)).isTrue();

        await(served.told);
        await(served.ended);
    }

    @Test
    void anInterruptOfTheCallerReachesTheMethodAlsoBehindAnotherNode() throws Exception {
        served.behind = server.lookup("witness", Witness.class);
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicReference<Boolean> flag = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                witness.hangBehind();
            } catch (Throwable e) {
                thrown.set(e);
            }
            flag.set(Thread.interrupted());
        });
        caller.start();
        await(served.hangs);

        caller.interrupt();
        caller.join(TimeUnit.SECONDS.toMillis(PATIENCE));

        assertThat(caller.isAlive()).isFalse();
        assertThat(flag.get()).isTrue();
        assertThat(thrown.get())
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.maybeExecuted()).isTrue())
                .hasMessageContaining("the calling thread is interrupted");
        await(served.ended);
        await(served.told);
        org.awaitility.Awaitility.await().until(() -> served.wasInterrupted);
    }

    @Test
    void anInterruptedThreadMakesNoCallAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        try {
            assertThatThrownBy(() -> witness.attachment("k"))
                    .isInstanceOfSatisfying(CallException.class, e -> assertThat(e.notExecuted())
                            .isTrue())
                    .hasMessageContaining("not sent: the calling thread is interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(witness.attachment("k")).isNull();
    }

    @Test
    void anInterruptedThreadSendsNothingAheadAndTakesNoResultOfIt() throws Throwable {
        var send = witness.getClass().getMethod("attachmentAhead" + Stub.SEND_SUFFIX, String.class);
        Handle before = (Handle) send.invoke(witness, "k");
        org.awaitility.Awaitility.await().until(before::isDone);

        Thread.currentThread().interrupt();
        try {
            assertThat(send.invoke(witness, "k")).isNull();
            assertThatThrownBy(before::await)
                    .as("at its place the call would not have been made")
                    .hasMessageContaining("the calling thread is interrupted");
        } finally {
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(before.await()).isNull();
    }

    @Test
    void callsOfRmiGoOnThoughTheirThreadIsInterrupted() throws Exception {
        server.bind("old", new RealOldWitness());
        OldWitness old = client.lookup("old", OldWitness.class);

        Thread.currentThread().interrupt();

        assertThat(old.add(1, 2)).isEqualTo(3);
        assertThat(Thread.interrupted()).isTrue();
    }
}
