package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import dev.cleave.Async;
import dev.cleave.CallException;
import dev.cleave.Remote;
import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.config.Bindings;
import dev.cleave.node.KeptResults;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Results that go from one server to another through the broker, where servers know nothing of each other. */
@Tag("one-jdk")
@Timeout(120)
class RelayedForwardedResultsTest {

    /** A stage of a computation. */
    @Remote
    @Async
    interface Stage {

        int step(int value);

        double[] matrix(int size);

        double total(double[] matrix);
    }

    /** Writes down what it executes, fails and waits as told. */
    private static final class WrittenStage implements Stage {

        private final List<String> log = new ArrayList<>(); // guarded by itself
        private final Semaphore gate = new Semaphore(Integer.MAX_VALUE / 2);
        private volatile int failing = -1;

        @Override
        public int step(int value) {
            gate.acquireUninterruptibly();
            synchronized (log) {
                log.add("step " + value);
            }
            if (value == failing) {
                throw new IllegalStateException("step " + value);
            }
            return value * 3 + 1;
        }

        @Override
        public double[] matrix(int size) {
            double[] matrix = new double[size];
            Arrays.fill(matrix, 0.5);
            return matrix;
        }

        @Override
        public double total(double[] matrix) {
            return Arrays.stream(matrix).sum();
        }

        List<String> log() {
            synchronized (log) {
                return List.copyOf(log);
            }
        }
    }

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int NO_VALUE = 77_777;
    private static final Bindings FILE = Bindings.parse(
            "services: {stage0: {route: relay}, stage1: {route: relay}, beside: {route: relay}}", "cleave.yaml");

    private final List<AutoCloseable> open = new ArrayList<>();
    private final Broker broker =
            open(Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(FILE)));
    private final WrittenStage[] served = {new WrittenStage(), new WrittenStage()};
    private final Node[] servers = {node("server0"), node("server1")};
    private final Node client = node("client");
    private final Chain chain = Chain.dependent();
    private final Stage first;
    private final Stage second;

    RelayedForwardedResultsTest() {
        for (int i = 0; i < served.length; i++) {
            servers[i].bind("stage" + i, served[i]);
        }
        first = client.lookup("stage0", Stage.class);
        second = client.lookup("stage1", Stage.class);
    }

    @AfterEach
    void close() throws Exception {
        for (int i = open.size() - 1; i > 0; i--) {
            open.get(i).close();
        }
        await().atMost(PATIENCE).until(broker::isEmpty);
        broker.close();
    }

    private Node node(String name) {
        return open(Node.connect(
                NodeOptions.DEFAULT.withName(name).withBroker(broker.endpoint()).withBindings(FILE)));
    }

    private <T extends AutoCloseable> T open(T made) {
        open.add(made);
        return made;
    }

    private Handle send(Stage stub, String name, Handle passed, Object argument) {
        if (passed != null) {
            chain.pass(0, passed);
        }
        Method twin = Arrays.stream(stub.getClass().getMethods())
                .filter(method -> method.getName().equals(name + "$chain"))
                .findFirst()
                .orElseThrow();
        twin.setAccessible(true);
        try {
            return (Handle) twin.invoke(stub, chain, argument);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aValueGoesFromServerToServerAndBack() throws Throwable {
        Handle one = send(first, "step", null, 1);
        Handle two = send(second, "step", one, NO_VALUE);
        Handle three = send(first, "step", two, NO_VALUE);

        await().atMost(PATIENCE).until(three::isDone);

        assertThat(three.awaitInt()).isEqualTo(40);
        assertThat(two.awaitInt() + one.awaitInt()).isEqualTo(13 + 4);
        chain.end();
        await().atMost(PATIENCE).until(() -> KeptResults.of(servers[0]) == 0 && KeptResults.of(servers[1]) == 0);
    }

    @Test
    void anotherServiceOfTheSameServerTakesItThere() throws Throwable {
        servers[0].bind("beside", served[1]);
        Handle one = send(first, "step", null, 1);
        Handle two = send(client.lookup("beside", Stage.class), "step", one, NO_VALUE);

        await().atMost(PATIENCE).until(two::isDone);

        assertThat(two.awaitInt()).isEqualTo(13);
        assertThat(one.awaitInt()).isEqualTo(4);
        chain.end();
    }

    @Test
    void largeArraysGoThroughTheBrokerToo() throws Throwable {
        Handle matrix = send(first, "matrix", null, 1 << 18);
        Handle total = send(second, "total", matrix, null);
        await().atMost(PATIENCE).until(total::isDone);

        assertThat(total.awaitDouble()).isEqualTo(1 << 17);
        assertThat(((double[]) matrix.await())[7]).isEqualTo(0.5);
        chain.end();
    }

    @Test
    void nothingIsExecutedBehindAFailureOnAnotherServer() {
        served[0].gate.drainPermits();
        served[0].failing = 1;
        Handle one = send(first, "step", null, 1);
        Handle two = send(second, "step", one, NO_VALUE);
        served[0].gate.release(100);

        assertThat(catchThrowable(one::awaitInt))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("step 1");
        two.withdrawn();
        two.discard();
        chain.end();

        assertThat(second.step(5)).isEqualTo(16);
        assertThat(served[1].log()).containsExactly("step 5");
    }

    @Test
    void whenTheServerOfAResultDiesItsCallersCopyIsUsed() throws Throwable {
        served[1].gate.drainPermits();
        Handle busy = send(second, "step", null, 0);
        Handle one = send(first, "step", null, 1);
        assertThat(one.awaitInt()).isEqualTo(4);
        servers[0].close();

        Handle two = send(second, "step", one, NO_VALUE);
        served[1].gate.release(100);

        assertThat(busy.awaitInt()).isEqualTo(1);
        assertThat(two.awaitInt()).isEqualTo(13);
        chain.end();
        assertThat(served[1].log()).containsExactly("step 0", "step 4");
    }

    private Handle matrixForCalls(int uses) {
        chain.isUsedBy(uses);
        return send(first, "matrix", null, 1 << 18);
    }

    private void awaitNothingKept() {
        await().atMost(PATIENCE).until(() -> KeptResults.of(servers[0]) == 0 && KeptResults.of(servers[1]) == 0);
    }

    @Test
    void aLargeResultThatOnlyTravelsOnDoesNotComeThroughTheBroker() throws Throwable {
        Handle matrix = matrixForCalls(2);
        Handle there = send(first, "total", matrix, null);
        Handle elsewhere = send(second, "total", matrix, null);

        assertThat(matrix.await()).isNull();
        assertThat(matrix.stayedBytes()).isBetween(8L << 18, (8L << 18) + 100);
        assertThat(there.awaitDouble() + elsewhere.awaitDouble()).isEqualTo(1 << 18);
        chain.end();
        awaitNothingKept();
    }

    @Test
    void aResultThatHasStayedComesThroughTheBrokerIfACallThatItIsForWasNotSent() throws Throwable {
        Handle matrix = matrixForCalls(2);
        Handle total = send(second, "total", matrix, null);
        await().atMost(PATIENCE).until(() -> matrix.isDone() && total.isDone());
        assertThat(matrix.stayedBytes()).isPositive();

        assertThat((double[]) matrix.await()).hasSize(1 << 18).contains(0.5);
        assertThat(total.awaitDouble()).isEqualTo(1 << 17);
        chain.end();
        awaitNothingKept();
    }

    @Test
    void aResultThatHasStayedIsLostWithItsServerBehindTheBroker() throws Throwable {
        Handle matrix = matrixForCalls(2);
        Handle total = send(second, "total", matrix, null);
        await().atMost(PATIENCE).until(() -> matrix.isDone() && total.isDone());
        servers[0].close();

        assertThat(catchThrowable(matrix::await))
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.maybeExecuted()).isTrue())
                .hasMessageContaining("stayed at the server");
        assertThat(total.awaitDouble()).isEqualTo(1 << 17);
        chain.end();
    }

    @Test
    void aResultThatHasStayedIsDroppedWithItsCallerBehindTheBroker() {
        Handle matrix = matrixForCalls(1);
        await().atMost(PATIENCE).until(matrix::isDone);
        assertThat(KeptResults.of(servers[0])).isEqualTo(1);

        client.close();

        awaitNothingKept();
    }
}
