package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Async;
import dev.cleave.CallException;
import dev.cleave.Remote;
import dev.cleave.call.Chain;
import dev.cleave.call.Handle;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.FrameGate;
import dev.cleave.testing.Seed;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.FrameKind;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A result goes from the server of a call, "giver", to that of the call that needs it, "taker" (R50): in every order in which the
 * messages of these two calls can arrive, and with the death of the giver before any of them.
 */
@Tag("one-jdk")
@Timeout(300)
class ForwardingOrdersTest {

    private static final boolean ALL = Boolean.getBoolean("cleave.full");
    private static final int SOME =
            3; // deaths in a usual build, of those after which the client need not ask for the outcome
    private static final int MANY = 40;

    /** A stage of a computation. */
    @Remote
    @Async
    interface Stage {

        int step(int value);
    }

    /** Writes down what it executes. */
    private static final class WrittenStage implements Stage {

        private final List<String> log = Collections.synchronizedList(new ArrayList<>());
        private final Semaphore gate = new Semaphore(0);

        @Override
        public int step(int value) {
            gate.acquireUninterruptibly();
            log.add("step " + value);
            return value * 3 + 1;
        }
    }

    /** The events, each once. */
    private enum Event {
        GIVER_HEARS_THE_CALL,
        GIVER_HEARS_THE_KEY(GIVER_HEARS_THE_CALL),
        TAKER_HEARS_THE_CALL,
        TAKER_FETCHES(TAKER_HEARS_THE_CALL),
        GIVER_RUNS(GIVER_HEARS_THE_CALL),
        GIVER_GIVES(GIVER_HEARS_THE_KEY, TAKER_FETCHES, GIVER_RUNS),
        GIVER_ANSWERS(GIVER_RUNS);

        private final Set<Event> behind;

        Event(Event... behind) {
            this.behind = Set.of(behind);
        }
    }

    private FakeBroker broker;
    private final WrittenStage[] served = {new WrittenStage(), new WrittenStage()};
    private final FrameGate[] gates = new FrameGate[3];
    private final Node[] nodes = new Node[3];
    private final Stage[] stages = new Stage[2];
    private NettyTransport plain;

    private void start() {
        plain = NettyTransport.create();
        broker = FakeBroker.start(plain, Endpoint.tcp("localhost", 0));
        List<String> names = List.of("giver", "taker", "client");
        for (int i = 0; i < 3; i++) {
            gates[i] = new FrameGate(NettyTransport.create());
            nodes[i] = Node.connect(NodeOptions.DEFAULT
                    .withName(names.get(i))
                    .withBroker(broker.endpoint())
                    .withTransport(gates[i])
                    .withPatience(Duration.ZERO));
            if (i < 2) {
                nodes[i].bind(names.get(i), served[i]);
            }
        }
        served[1].gate.release(Integer.MAX_VALUE / 2);
        for (int i = 0; i < 2; i++) {
            stages[i] = nodes[2].lookup(names.get(i), Stage.class);
        }
    }

    @AfterEach
    void stop() {
        if (broker != null) {
            served[0].gate.release(1000);
            for (int i = 2; i >= 0; i--) {
                gates[i].open();
                nodes[i].close();
                gates[i].close();
            }
            broker.close();
            plain.close();
            broker = null;
        }
    }

    private static Handle send(Stage stub, Chain chain, Handle passed, int argument)
            throws ReflectiveOperationException {
        if (passed != null) {
            chain.pass(0, passed);
        }
        Method twin = Arrays.stream(stub.getClass().getMethods())
                .filter(method -> method.getName().equals("step$chain"))
                .findFirst()
                .orElseThrow();
        twin.setAccessible(true);
        return (Handle) twin.invoke(stub, chain, argument);
    }

    /** The beginnings of all orders that are possible, and the orders themselves. */
    private static Set<List<Event>> beginnings() {
        Set<List<Event>> all = new LinkedHashSet<>();
        extend(List.of(), all);
        return all;
    }

    private static void extend(List<Event> begun, Set<List<Event>> all) {
        all.add(begun);
        for (Event next : EnumSet.allOf(Event.class)) {
            if (!begun.contains(next) && begun.containsAll(next.behind)) {
                List<Event> longer = new ArrayList<>(begun);
                longer.add(next);
                extend(List.copyOf(longer), all);
            }
        }
    }

    private void happens(Event event) {
        switch (event) {
            case GIVER_HEARS_THE_CALL -> soon(() -> gates[2].letGo("giver", FrameKind.REQUEST));
            case GIVER_HEARS_THE_KEY -> soon(() -> gates[2].letGo("giver", FrameKind.LANE_SHARE));
            case TAKER_HEARS_THE_CALL -> soon(() -> gates[2].letGo("taker", FrameKind.REQUEST));
            case TAKER_FETCHES -> soon(() -> gates[1].letGo("giver", FrameKind.REQUEST));
            case GIVER_RUNS -> served[0].gate.release();
            case GIVER_GIVES -> soon(() -> gates[0].letGo("taker", FrameKind.REPLY));
            case GIVER_ANSWERS -> soon(() -> gates[0].letGo("client", FrameKind.REPLY));
        }
    }

    private static void soon(BooleanSupplier task) {
        await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(task::getAsBoolean);
    }

    private void reset() {
        Arrays.stream(served).forEach(each -> each.log.clear());
        Arrays.stream(gates).forEach(FrameGate::hold);
    }

    @Test
    void inEachOrderTheTakerRunsOnceWithTheResult() throws Throwable {
        start();
        // the ways are there, and the classes
        served[0].gate.release();
        Chain first = Chain.dependent();
        Handle once = send(stages[0], first, null, 1);
        assertThat(send(stages[1], first, once, 77_777).awaitInt()).isEqualTo(13);
        assertThat(once.awaitInt()).isEqualTo(4);
        first.end();
        int orders = 0;
        for (List<Event> order : beginnings()) {
            if (order.size() < Event.values().length) {
                continue;
            }
            orders++;
            reset();
            Chain chain = Chain.dependent();
            Handle given = send(stages[0], chain, null, 1);
            Handle taken = send(stages[1], chain, given, 77_777);
            order.forEach(this::happens);
            Arrays.stream(gates).forEach(FrameGate::open);

            assertThat(taken.awaitInt()).as(order.toString()).isEqualTo(13);
            assertThat(given.awaitInt()).as(order.toString()).isEqualTo(4);
            chain.end();
            assertThat(served[1].log).as(order.toString()).containsExactly("step 4");
            assertThat(gates[2].requests())
                    .as("requests of the client in " + order)
                    .isEqualTo(2);
        }
        assertThat(orders).isEqualTo(65);
        await().until(() -> nodes[0].keptResults() == 0 && nodes[1].keptResults() == 0);
    }

    @Test
    void whenTheGiverDiesTheTakerRunsAtMostOnceAndWithTheResult() throws Throwable {
        List<List<Event>> deaths = new ArrayList<>(beginnings());
        Collections.shuffle(deaths, new Random(Seed.of(ForwardingOrdersTest.class)));
        deaths.removeIf(before -> !ALL && !before.contains(Event.GIVER_ANSWERS));
        for (List<Event> before : deaths.subList(0, ALL ? MANY : SOME)) {
            start();
            reset();
            Chain chain = Chain.dependent();
            Handle given = send(stages[0], chain, null, 1);
            Handle taken = send(stages[1], chain, given, 77_777);
            before.forEach(this::happens);
            gates[0].kill();
            served[0].gate.release(1000);
            Arrays.stream(gates).forEach(FrameGate::open);

            boolean hasCome = false;
            try {
                assertThat(given.awaitInt()).as(before.toString()).isEqualTo(4);
                hasCome = true;
            } catch (CallException e) {
                taken.withdrawn();
                taken.discard();
            }
            if (hasCome) {
                assertThat(taken.awaitInt()).as(before.toString()).isEqualTo(13);
                assertThat(served[1].log).as(before.toString()).containsExactly("step 4");
            }
            chain.end();
            await().until(() -> nodes[1].keptResults() == 0 && nodes[2].pendingCalls() == 0);
            assertThat(served[1].log).as(before.toString()).isIn(List.of(), List.of("step 4"));
            stop();
            served[1].gate.drainPermits();
            served[0].gate.drainPermits();
            served[1].log.clear();
        }
    }
}
