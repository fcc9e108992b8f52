package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.Inline;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.Serial;
import dev.cleave.testing.WrappedTransport;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Methods that run on the event thread. */
@Tag("one-jdk")
@Timeout(120)
class InlineTest extends NodesUnderTest {

    private static final int MANY = 2_000;
    private static final int ENOUGH_TO_DRIVE = 100;

    private Undecided undecided;

    /** Tells where its methods run. */
    @Remote
    interface Places {

        String here(int number);

        String worker();

        int fails(int number);

        int waitsFor(Places other);
    }

    /** Hands an object back and forth. */
    @Remote
    interface Asker {

        String ask(Places other);
    }

    private static class Told implements Places {

        @Override
        @Inline
        public String here(int number) {
            return Thread.currentThread().getName();
        }

        @Override
        public String worker() {
            return Thread.currentThread().getName();
        }

        @Override
        @Inline
        public int fails(int number) {
            throw new IllegalStateException("no " + number);
        }

        @Override
        @Inline
        public int waitsFor(Places other) {
            return other.here(1).length();
        }
    }

    private static final class Quiet extends Told {

        @Override
        public String here(int number) {
            return super.here(number);
        }
    }

    @Serial
    private static final class InOrder extends Told {}

    @Override
    Transport transport() {
        undecided = new Undecided(NettyTransport.create());
        return undecided;
    }

    @Override
    Endpoint door() {
        return Endpoint.tcp("localhost", 0);
    }

    private Places places(Places served) {
        node(NodeOptions.DEFAULT.withName("server").withCapacity(2, 64)).bind("places", served);
        client = node(NodeOptions.DEFAULT.withName("client"));
        return client.lookup("places", Places.class);
    }

    @Test
    void markedMethodsRunOnTheEventThreadAndOthersOnWorkers() {
        Places places = places(new Told());

        assertThat(places.here(1)).startsWith("cleave-net");
        assertThat(places.worker()).startsWith("cleave-worker");
    }

    /** May run code of the program when a call arrives that may run at once, but not a moment later, if that is wanted. */
    private static final class Undecided extends WrappedTransport {

        private final AtomicInteger asked = new AtomicInteger(-1); // -1: as the real one says

        private Undecided(Transport real) {
            super(real);
        }

        @Override
        protected Half half() {
            return new Half() {
                @Override
                public boolean mayRunProgram() {
                    return asked.get() < 0 ? super.mayRunProgram() : asked.getAndIncrement() == 0;
                }
            };
        }
    }

    @Test
    void aCallThatWaitsInTheQueueIsNotTakenForTheOneWhoseObjectItUses() throws Exception {
        CountDownLatch gate = new CountDownLatch(1);
        CountDownLatch entered = new CountDownLatch(1);
        Node server = node(NodeOptions.DEFAULT.withName("server").withCapacity(1, 64));
        server.bind("places", new Told() {
            @Override
            public String worker() {
                entered.countDown();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
                return "worker";
            }
        });
        client = node(NodeOptions.DEFAULT.withName("client"));
        Places places = client.lookup("places", Places.class);
        Pending<String> inTheWay = Cleave.async(places::worker);
        entered.await();
        assertThat(places.here(1)).startsWith("cleave-net"); // somebody waited for it

        undecided.asked.set(0);
        Pending<String> ahead = Cleave.async(() -> places.here(2));
        await().atMost(Duration.ofSeconds(30)).until(() -> undecided.asked.get() >= 2);
        undecided.asked.set(-1);
        assertThat(places.here(3)).as("behind it on the event thread").startsWith("cleave-net");

        assertThat(server.awaitedCalls()).isZero();
        gate.countDown();
        assertThat(ahead.await()).startsWith("cleave-worker");
        assertThat(inTheWay.await()).isEqualTo("worker");
    }

    @Test
    void methodThatOverridesIsMarkedItself() {
        assertThat(places(new Quiet()).here(1)).startsWith("cleave-worker");
    }

    @Test
    void whatTheyThrowReachesTheCaller() {
        Places places = places(new Told());

        for (int i = 0; i < ENOUGH_TO_DRIVE; i++) {
            int number = i;
            assertThatThrownBy(() -> places.fails(number))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("no " + number);
        }
    }

    @Test
    void moreAreTakenThanAnyQueueHolds() {
        Places places = places(new Told());
        List<Pending<String>> sent = new ArrayList<>();

        for (int i = 0; i < MANY; i++) {
            int number = i;
            sent.add(Cleave.async(() -> places.here(number)));
        }

        assertThat(sent).allSatisfy(each -> assertThat(each.await()).startsWith("cleave-net"));
    }

    @Test
    void serialClassesCannotHaveThem() {
        assertThatThrownBy(() -> places(new InOrder()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("@Inline")
                .hasMessageContaining("@Serial");
    }

    /** The answer would come over the connection that the event thread serves. */
    @Test
    void waitingForACallOnTheEventThreadFailsAtOnce() {
        Places places = places(new Told());
        Places here = new Told();

        assertThatThrownBy(() -> places.waitsFor(here)).hasMessageContaining("event thread");
        assertThat(places.here(1)).startsWith("cleave-net");
    }

    @Test
    void neverOnAThreadThatWaitsWithItsLocks() {
        node(NodeOptions.DEFAULT.withName("server")).bind("asker", (Asker) other -> other.here(1));
        client = node(NodeOptions.DEFAULT.withName("client"));
        Asker asker = client.lookup("asker", Asker.class);
        ReentrantLock lock = new ReentrantLock();
        AtomicBoolean held = new AtomicBoolean();
        Places guarded = new Told() {
            @Override
            @Inline
            public String here(int number) {
                held.compareAndSet(false, lock.isHeldByCurrentThread());
                return super.here(number);
            }
        };

        lock.lock();
        try {
            for (int i = 0; i < ENOUGH_TO_DRIVE; i++) {
                assertThat(asker.ask(guarded)).startsWith("cleave-");
            }
        } finally {
            lock.unlock();
        }
        assertThat(held).isFalse();
    }

    @Test
    void objectsHaveThemToo() throws InterruptedException {
        node(NodeOptions.DEFAULT.withName("server")).bind("asker", (Asker) other -> other.here(1));
        client = node(NodeOptions.DEFAULT.withName("client"));
        Asker asker = client.lookup("asker", Asker.class);
        Places mine = new Told();
        List<String> names = new ArrayList<>();
        CountDownLatch asked = new CountDownLatch(1);
        Cleave.async(() -> asker.ask(mine)).toCompletableFuture().whenComplete((name, e) -> {
            names.add(name);
            asked.countDown();
        });

        asked.await();

        assertThat(names.get(0)).startsWith("cleave-net");
    }
}
