package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.Idempotent;
import dev.cleave.NoSuchMethodOnServerException;
import dev.cleave.OverloadException;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.CuttingTransport;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call that may have been executed where it was sent once is never reported as not executed, whatever becomes of it elsewhere. */
@Tag("one-jdk")
@Timeout(120)
class DoubtTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    /** What is served. */
    @Remote
    interface Desk {

        @Idempotent
        String again(String word);

        String once(String word);
    }

    private static final class GatedDesk implements Desk {

        final AtomicInteger executed = new AtomicInteger();
        final CountDownLatch gate = new CountDownLatch(1);

        @Override
        public String again(String word) {
            executed.incrementAndGet();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            return word;
        }

        @Override
        public String once(String word) {
            return again(word);
        }

        void awaitExecuted(int calls) {
            await().atMost(PATIENCE).until(() -> executed.get() == calls);
        }
    }

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final GatedDesk one = new GatedDesk();
    private final GatedDesk two = new GatedDesk();
    private CuttingTransport cutting;
    private FakeBroker broker;
    private Node served;

    @BeforeEach
    void start() {
        NettyTransport transport = NettyTransport.create();
        open.push(transport);
        cutting = new CuttingTransport(NettyTransport.create());
        open.push(cutting);
        broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0));
        open.push(broker);
    }

    @AfterEach
    void close() throws Exception {
        one.gate.countDown();
        two.gate.countDown();
        while (!open.isEmpty()) {
            open.pop().close();
        }
        Buffers.assertNoneInUse();
    }

    private Node node(NodeOptions options, String file) {
        Node node =
                Node.connect(options.withBroker(broker.endpoint()).withBindings(Bindings.parse(file, "cleave.yaml")));
        open.push(node);
        return node;
    }

    private Node serve(String name, int workers, int queue, Desk desk) {
        int before = broker.replicas("desk");
        Node node = node(NodeOptions.DEFAULT.withName(name).withCapacity(workers, queue), "application: test");
        node.bind("desk", desk);
        await().atMost(PATIENCE).until(() -> broker.replicas("desk") == before + 1);
        return node;
    }

    private Desk lookup(NodeOptions options) {
        return node(options, "application: test").lookup("desk", Desk.class);
    }

    /** A call that runs, and whose connection can be cut. */
    private Pending<String> running() {
        Desk desk = lookup(NodeOptions.DEFAULT.withTransport(cutting));
        Pending<String> call = Cleave.async(() -> desk.again("first"));
        one.awaitExecuted(1);
        return call;
    }

    private void cut() {
        assertThat(cutting.cutAllBut(broker.endpoint())).isEqualTo(1);
    }

    private static void assertInDoubt(CallException failure) {
        assertThat(failure.maybeExecuted()).as("%s", failure).isTrue();
        assertThat(failure.notExecuted()).as("%s", failure).isFalse();
    }

    @Test
    void lostWhileItRanAndThenRefusedForWantOfRoom() {
        served = serve("one", 1, 1, one);
        Pending<String> call = running();
        Desk other = lookup(NodeOptions.DEFAULT);
        Pending<String> inTheQueue = Cleave.async(() -> other.once("second"));
        await().atMost(PATIENCE)
                .until(() -> catchThrowableOfType(OverloadException.class, () -> other.once("third")) != null);

        cut();

        assertInDoubt(catchThrowableOfType(OverloadException.class, call::await));
        one.gate.countDown();
        assertThat(inTheQueue.await()).isEqualTo("second");
    }

    @Test
    void lostWhileItRanAndThenTheServiceIsNotThere() {
        served = serve("one", 1, 8, one);
        Pending<String> call = running();
        served.unbind("desk");
        GatedDesk unused = new GatedDesk();
        served.bind("another", unused); // so that the node goes on listening
        broker.tell("desk");

        cut();

        assertInDoubt(catchThrowableOfType(CallException.class, call::await));
    }

    @Test
    void executedByAnotherReplicaThatWasAskedBesidesAndRefusedByTheFirst() {
        served = serve("one", 1, 8, one);
        serve("two", 1, 8, two);
        String file =
                "services: {desk: {hedge: 20ms, replicas: [{name: one}, {name: two}], balance: 'static(\"1:0\")'}}";
        Desk inTheWay = node(NodeOptions.DEFAULT, file).lookup("desk", Desk.class);
        Pending<String> first = Cleave.async(() -> inTheWay.once("first"));
        one.awaitExecuted(1);
        Desk desk = node(NodeOptions.DEFAULT, file).lookup("desk", Desk.class);
        Pending<String> call = Cleave.async(() -> desk.again("second"));
        two.awaitExecuted(1);

        served.unbind("desk");

        assertInDoubt(catchThrowableOfType(NoSuchMethodOnServerException.class, call::await));
        assertThat(two.executed).hasValue(1);
        one.gate.countDown();
        assertThat(first.await()).isEqualTo("first");
    }
}
