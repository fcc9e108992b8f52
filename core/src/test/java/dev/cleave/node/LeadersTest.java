package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.cleave.CallContext;
import dev.cleave.Cleave;
import dev.cleave.DeadlineException;
import dev.cleave.Inline;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.Serial;
import io.netty.channel.epoll.Epoll;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Workers that read the connections between their calls, and calls that turn out to be long, or to wait. */
@Tag("one-jdk")
@Timeout(300)
class LeadersTest extends TcpNodesUnderTest {

    private static final int FAST = 10_000;

    /** Short, or as long as the server's program makes it. */
    @Remote
    interface Desk {

        String reader();

        int next(int number);

        int same(int number);

        List<String> here();

        int ask(Asked back, int number);
    }

    /** Asks back. */
    @Remote
    interface Asked {

        int twice(int number);
    }

    private static class RealDesk implements Desk {

        final AtomicInteger entered = new AtomicInteger();
        final Semaphore gate = new Semaphore(0);
        final List<Integer> seen = new CopyOnWriteArrayList<>();
        volatile boolean isSlow;
        volatile boolean wasInterrupted;

        @Override
        @Inline
        public String reader() {
            return Thread.currentThread().getName();
        }

        @Override
        public int next(int number) {
            if (isSlow) {
                entered.incrementAndGet();
                try {
                    gate.acquire();
                } catch (InterruptedException e) {
                    wasInterrupted = true;
                }
            }
            return number + 1;
        }

        @Override
        public int same(int number) {
            seen.add(number);
            return number;
        }

        @Override
        public List<String> here() {
            Thread me = Thread.currentThread();
            return List.of(
                    String.valueOf(me.getContextClassLoader()),
                    me.getClass().getSimpleName(),
                    String.valueOf(me.isInterrupted()),
                    CallContext.current().service());
        }

        @Override
        public int ask(Asked back, int number) {
            return back.twice(number) + 1;
        }
    }

    private final RealDesk served = new RealDesk();
    private Desk desk;

    @BeforeEach
    void epoll() {
        assumeTrue(Epoll.isAvailable());
    }

    private void serve(int workers, String file) {
        node("server", workers, "").bind("desk", served);
        client = node("client", 2, file);
        desk = client.lookup("desk", Desk.class);
    }

    /** Calls until a worker reads the calls: on a busy machine many short calls take long. */
    private void untilAWorkerLeads() {
        await().atMost(Duration.ofMinutes(2)).until(() -> {
            for (int i = 0; i < 200; i++) {
                assertThat(desk.next(i)).isEqualTo(i + 1);
            }
            return desk.reader().startsWith("cleave-worker");
        });
    }

    @Test
    void aMethodThatTurnsSlowHoldsUpNoOtherCall() {
        serve(4, "");
        for (int i = 0; i < FAST; i++) {
            assertThat(desk.next(i)).isEqualTo(i + 1);
        }
        untilAWorkerLeads();

        served.isSlow = true;
        List<Pending<Integer>> held = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int number = i;
            held.add(Cleave.async(() -> desk.next(number)));
            await().until(() -> served.entered.get() == number + 1);
            assertThat(desk.same(i)).isEqualTo(i);
        }
        served.gate.release(3);
        for (int i = 0; i < 3; i++) {
            assertThat(held.get(i).await()).isEqualTo(i + 1);
        }
        served.isSlow = false;
        untilAWorkerLeads();
    }

    @Test
    void theConnectionIsReadWhileTheOnlyWorkerNeverReturns() {
        serve(1, "services: {desk: {methods: {same: {deadline: 100ms}}}}");
        untilAWorkerLeads();

        served.isSlow = true;
        Pending<Integer> held = Cleave.async(() -> desk.next(1));
        await().until(() -> served.entered.get() == 1);

        assertThat(desk.reader()).startsWith("cleave-net");
        assertThatThrownBy(() -> desk.same(7)).isInstanceOf(DeadlineException.class);
        served.gate.release();
        assertThat(held.await()).isEqualTo(2);
        served.isSlow = false;
        untilAWorkerLeads();
        assertThat(served.seen).isEmpty();
    }

    @Test
    void aMethodCallsItsCallerBackOverTheSameConnection() {
        serve(2, "");
        Asked back = number -> 2 * number;
        client.export(back);
        untilAWorkerLeads();

        for (int i = 0; i < 1_000; i++) {
            assertThat(desk.ask(back, i)).isEqualTo(2 * i + 1);
        }
    }

    @Test
    void aCallThatIsGivenUpInterruptsItsOwnMethodOnly() {
        serve(1, "");
        untilAWorkerLeads();

        served.isSlow = true;
        Pending<Integer> held = Cleave.async(() -> desk.next(1));
        await().until(() -> served.entered.get() == 1);
        held.cancel();
        await().until(() -> served.wasInterrupted);
        served.isSlow = false;

        for (int i = 0; i < 200; i++) {
            assertThat(desk.here().get(2)).isEqualTo("false");
        }
        untilAWorkerLeads();
    }

    @Test
    void aMethodFindsWhatItFindsOnAnyWorker() {
        serve(2, "");
        List<String> before = desk.here();
        untilAWorkerLeads();

        assertThat(desk.here()).isEqualTo(before).contains("Worker", "desk");
    }

    @Test
    void callsOfSerialObjectsRunOneAtATimeInTheirOrder() {
        AtomicInteger within = new AtomicInteger();
        @Serial
        class InOrder extends RealDesk {

            @Override
            public String reader() {
                return "";
            }

            @Override
            public int same(int number) {
                assertThat(within.incrementAndGet()).isEqualTo(1);
                seen.add(number);
                within.decrementAndGet();
                return number;
            }
        }
        InOrder inOrder = new InOrder();
        Node server = node("server", 4, "");
        server.bind("desk", served);
        server.bind("serial", inOrder);
        client = node("client", 2, "");
        desk = client.lookup("desk", Desk.class);
        Desk serial = client.lookup("serial", Desk.class);
        untilAWorkerLeads();

        List<Pending<Integer>> sent = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            int number = i;
            sent.add(Cleave.async(() -> serial.same(number)));
        }
        for (int i = 0; i < 1_000; i++) {
            assertThat(sent.get(i).await()).isEqualTo(i);
        }
        assertThat(inOrder.seen).isSorted().hasSize(1_000);
    }

    @Test
    void manyCallersAreServedWhileMethodsAreShortAndLong() throws InterruptedException {
        serve(4, "");
        untilAWorkerLeads();
        List<Throwable> problems = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(8);
        for (int t = 0; t < 8; t++) {
            int first = t * 1_000;
            Thread caller = new Thread(() -> {
                try {
                    for (int i = first; i < first + 500; i++) {
                        assertThat(desk.same(i)).isEqualTo(i);
                    }
                } catch (Throwable e) { // for the test's thread
                    problems.add(e);
                }
                done.countDown();
            });
            caller.setDaemon(true);
            caller.start();
        }
        served.isSlow = true;
        served.gate.release(20);
        for (int i = 0; i < 20; i++) {
            assertThat(desk.next(i)).isEqualTo(i + 1);
        }
        done.await();

        assertThat(problems).isEmpty();
        assertThat(served.seen).hasSize(4_000).doesNotHaveDuplicates();
    }
}
