package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.later.LaterArguments;
import dev.cleave.later.LaterCalls;
import dev.cleave.later.TakesLater;
import dev.cleave.testing.ChunkGate;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.local.LocalTransport;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A caller alone decides that an argument follows its call: neither interface nor server names it. */
@Tag("one-jdk")
class ChosenLaterTest {

    private static final int MANY = 1_000_000;

    private final ChunkGate gate = new ChunkGate(LocalTransport.create());
    private final Adder adder = new Adder();
    private final int[] values = new int[MANY];
    private FakeBroker broker;
    private Node server;
    private Node client;

    /** Has no later parameter. */
    @Remote
    interface Sum {

        long add(int base, int[] values);
    }

    /** Takes its argument as rewritten code does. */
    static final class Adder implements Sum {

        private final CountDownLatch begun = new CountDownLatch(1);

        @Override
        @TakesLater
        public long add(int base, int[] values) {
            LaterArguments later = LaterArguments.take("add(I[I)J");
            begun.countDown();
            int[] all = later != null && later.isLater(1) ? (int[]) later.whole(1) : values;
            return base + Arrays.stream(all).asLongStream().sum();
        }
    }

    @BeforeEach
    void connect() {
        Arrays.fill(values, 1);
        broker = FakeBroker.start(gate, Endpoint.local("broker"));
        server = Node.connect(options("server"));
        server.bind("sum", adder);
    }

    private NodeOptions options(String name) {
        return NodeOptions.DEFAULT.withName(name).withBroker(broker.endpoint()).withTransport(gate);
    }

    private Sum sum(String file) {
        client = Node.connect(options("client").withBindings(Bindings.parse(file, "cleave.yaml")));
        return client.lookup("sum", Sum.class);
    }

    @AfterEach
    void close() {
        gate.open();
        client.close();
        server.close();
        broker.close();
        gate.close();
        Buffers.assertNoneInUse();
    }

    private void beginsBeforeItsArgumentIsThere(Pending<Long> pending) throws InterruptedException {
        assertThat(adder.begun.await(60, TimeUnit.SECONDS)).isTrue();
        assertThat(pending.isDone()).isFalse();
        gate.open();
        assertThat(pending.await()).isEqualTo(MANY + 5);
    }

    @Test
    void inTheCode() throws InterruptedException {
        Sum sum = sum("services: {}");
        gate.hold(1 << 20);
        Pending<Long> pending;
        try (LaterCalls order = LaterCalls.choose("2")) {
            assertThat(order).isNotNull();
            pending = Cleave.async(() -> sum.add(5, values));
        }

        beginsBeforeItsArgumentIsThere(pending);
    }

    @Test
    void inTheFile() throws InterruptedException {
        Sum sum = sum("services: {sum: {methods: {add: {later: [2]}}}}");
        gate.hold(1 << 20);

        beginsBeforeItsArgumentIsThere(Cleave.async(() -> sum.add(5, values)));
    }

    @Test
    void otherwiseTheMethodWaits() {
        Sum sum = sum("services: {}");
        gate.hold(1 << 20);
        Pending<Long> pending = Cleave.async(() -> sum.add(5, values));

        assertThat(adder.begun.getCount()).isEqualTo(1);
        gate.open();

        assertThat(pending.await()).isEqualTo(MANY + 5);
    }
}
