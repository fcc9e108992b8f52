package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.Seed;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that read their answers themselves, in the ways that could go wrong. For longer: {@code -Dcleave.soak.millis=30000}. */
@Tag("one-jdk")
@Timeout(120)
class DrivenCallsTest {

    private static final long SOAK_MILLIS = Long.getLong("cleave.soak.millis", 700);
    private static final int ENOUGH_TO_DRIVE = 200;

    /** Answers, or asks back first. */
    @Remote
    interface Adder {

        int add(int a, int b);

        int addBy(Summing other, int a, int b);
    }

    /** Lives at the client. */
    @Remote
    interface Summing {

        int sum(int a, int b);
    }

    private static final class RealAdder implements Adder {

        @Override
        public int add(int a, int b) {
            return a + b;
        }

        @Override
        public int addBy(Summing other, int a, int b) {
            return other.sum(a, b);
        }
    }

    private final List<Node> nodes = new ArrayList<>();
    private NettyTransport ofServers;
    private NettyTransport ofClient;
    private FakeBroker broker;

    @BeforeEach
    void start() {
        ofServers = NettyTransport.create();
        ofClient = NettyTransport.create();
        broker = FakeBroker.start(ofServers, Endpoint.tcp("localhost", 0));
        node("server", ofServers).bind("adder", new RealAdder());
    }

    @AfterEach
    void close() {
        nodes.forEach(Node::close);
        broker.close();
        ofServers.close();
        ofClient.close();
        Buffers.assertNoneInUse();
    }

    private Node node(String name, NettyTransport transport) {
        Node node = Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBroker(broker.endpoint())
                .withTransport(transport)
                .withCapacity(4, 1024));
        nodes.add(node);
        return node;
    }

    private static void alone(Adder adder) {
        for (int i = 0; i < ENOUGH_TO_DRIVE; i++) {
            assertThat(adder.add(i, 1)).isEqualTo(i + 1);
        }
    }

    @Test
    void whatIsCalledBackNeverRunsOnTheThreadThatWaitsWithItsLocks() {
        Adder adder = node("client", ofClient).lookup("adder", Adder.class);
        alone(adder);
        ReentrantLock lock = new ReentrantLock();
        Thread caller = Thread.currentThread();
        Queue<String> problems = new ConcurrentLinkedQueue<>();
        Summing here = (a, b) -> {
            if (Thread.currentThread() == caller || lock.isHeldByCurrentThread()) {
                problems.add("called back on " + Thread.currentThread());
            }
            return a + b;
        };

        lock.lock();
        try {
            for (int i = 0; i < ENOUGH_TO_DRIVE; i++) {
                assertThat(adder.addBy(here, i, 2)).isEqualTo(i + 2);
            }
        } finally {
            lock.unlock();
        }
        assertThat(problems).isEmpty();
    }

    @Test
    void futuresAndLoneCallersDoNotWaitForEachOther() throws Exception {
        Adder adder = node("client", ofClient).lookup("adder", Adder.class);
        alone(adder);

        for (int i = 0; i < ENOUGH_TO_DRIVE; i++) {
            int number = i;
            Pending<Integer> sent = Cleave.async(() -> adder.add(number, 3));
            var future = sent.toCompletableFuture().thenApply(sum -> sum + 1);
            assertThat(adder.add(number, 5)).isEqualTo(number + 5);
            assertThat(future.get(60, TimeUnit.SECONDS)).isEqualTo(number + 4);
        }
    }

    @Test
    void interruptEndsACallOfTheThreadThatDrivesAndIsNotLost() {
        Adder adder = node("client", ofClient).lookup("adder", Adder.class);
        alone(adder);
        Thread caller = Thread.currentThread();
        CountDownLatch never = new CountDownLatch(1);
        Summing interrupts = (a, b) -> {
            caller.interrupt();
            try {
                never.await(); // until the caller's word that it has given up comes here
            } catch (InterruptedException e) {
                return 0;
            }
            return 1;
        };

        for (int i = 0; i < 3; i++) {
            int number = i;
            assertThatThrownBy(() -> adder.addBy(interrupts, number, 1))
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("the calling thread is interrupted");
            assertThat(Thread.interrupted()).isTrue();
            alone(adder);
        }
    }

    @Test
    void deathOfTheServerEndsACallThatIsDriven() {
        Node server = node("other", ofServers);
        server.bind("asking", new RealAdder());
        Adder adder = node("client", ofClient).lookup("asking", Adder.class);
        alone(adder);
        Summing kills = (a, b) -> {
            server.close();
            return a + b;
        };

        assertThatThrownBy(() -> adder.addBy(kills, 1, 2)).isInstanceOf(CallException.class);
    }

    @Test
    void manyThreadsCallAloneAndTogetherWhileNodesComeAndGo() throws InterruptedException {
        long seed = Seed.of(DrivenCallsTest.class);
        System.out.println("DrivenCallsTest seed " + seed);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(SOAK_MILLIS);
        Queue<Throwable> problems = new ConcurrentLinkedQueue<>();
        Node lasting = node("lasting", ofClient);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 4; t++) {
            SplittableRandom random = new SplittableRandom(seed + t);
            boolean comesAndGoes = t == 3;
            int number = t;
            threads.add(new Thread(() -> {
                try {
                    for (int round = 0; System.nanoTime() - end < 0; round++) {
                        Node node = comesAndGoes ? node("passing-" + round, ofClient) : lasting;
                        talk(node.lookup("adder", Adder.class), random);
                        if (comesAndGoes) {
                            node.close();
                        } else if (number > 0) {
                            TimeUnit.MICROSECONDS.sleep(random.nextInt(3_000)); // leaves the others alone for a while
                        }
                    }
                } catch (Throwable e) {
                    problems.add(e);
                }
            }));
        }
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(problems).isEmpty();
        assertThat(lasting.pendingCalls()).isZero();
    }

    private static void talk(Adder adder, SplittableRandom random) {
        Summing here = (a, b) -> a + b;
        Queue<Pending<Integer>> window = new ArrayDeque<>();
        Queue<Integer> expected = new ArrayDeque<>();
        for (int i = random.nextInt(40); i > 0; i--) {
            int a = random.nextInt(1_000);
            switch (random.nextInt(8)) {
                case 0 -> assertThat(adder.addBy(here, a, i)).isEqualTo(a + i);
                case 1, 2 -> {
                    int b = i;
                    window.add(Cleave.async(() -> adder.add(a, b)));
                    expected.add(a + b);
                }
                case 3 -> {
                    if (!window.isEmpty()) {
                        assertThat(window.remove().await()).isEqualTo(expected.remove());
                    }
                }
                default -> assertThat(adder.add(a, i)).isEqualTo(a + i);
            }
        }
        while (!window.isEmpty()) {
            assertThat(window.remove().await()).isEqualTo(expected.remove());
        }
    }
}
