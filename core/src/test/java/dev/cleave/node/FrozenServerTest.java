package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.Pending;
import dev.cleave.config.Bindings;
import dev.cleave.testing.EffectOf;
import dev.cleave.testing.FakeBroker;
import dev.cleave.testing.FreezingTransport;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of calls whose server is frozen while its connection stands; its broker has not noticed yet. */
@EffectOf({"pings", "pings.every", "pings.suspect", "pings.down"})
@Tag("one-jdk")
class FrozenServerTest {

    private static final String SUSPECT_SOON = "pings: {every: 20ms, suspect: 60ms, down: 30s}";
    private static final String DOWN_SOON = "pings: {every: 20ms, suspect: 60ms, down: 300ms}";

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private NettyTransport transport;
    private FreezingTransport freezing;
    private FakeBroker broker;

    @BeforeEach
    void start() {
        transport = NettyTransport.create();
        freezing = new FreezingTransport(NettyTransport.create());
        broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0));
    }

    @AfterEach
    void close() throws Exception {
        freezing.thaw();
        while (!open.isEmpty()) {
            open.pop().close();
        }
        broker.close();
        transport.close();
        freezing.close();
        Buffers.assertNoneInUse();
    }

    private Node node(NodeOptions options) {
        Node node = Node.connect(options.withBroker(broker.endpoint()));
        open.push(node);
        return node;
    }

    private RealShop serveFrozenLater(String name) {
        RealShop shop = new RealShop(name);
        node(NodeOptions.DEFAULT.withName(name).withTransport(freezing)).bind("shop", shop);
        return shop;
    }

    private RealShop serve(String name) {
        RealShop shop = new RealShop(name);
        node(NodeOptions.DEFAULT.withName(name).withTransport(transport)).bind("shop", shop);
        return shop;
    }

    private Shop lookup(String file) {
        return node(NodeOptions.DEFAULT
                        .withName("client")
                        .withTransport(transport)
                        .withBindings(Bindings.parse(file, "cleave.yaml")))
                .lookup("shop", Shop.class);
    }

    private Pending<String> callThatFreezes(Shop shop, RealShop frozen) throws InterruptedException {
        frozen.gate = new CountDownLatch(1);
        Pending<String> call = Cleave.async(shop::replica);
        frozen.entered.await();
        freezing.freeze();
        return call;
    }

    @Test
    void idempotentCallsGoElsewhereAndSoDoNewOnesUntilItIsHeardAgain() throws Exception {
        RealShop frozen = serveFrozenLater("frozen");
        Shop shop = lookup(SUSPECT_SOON);
        Pending<String> call = callThatFreezes(shop, frozen);
        serve("sound");
        await().until(() -> broker.replicas("shop") == 2);

        assertThat(call.await()).isEqualTo("sound");
        for (int i = 0; i < 10; i++) {
            assertThat(shop.replica()).isEqualTo("sound");
        }

        freezing.thaw();
        frozen.gate.countDown();
        Set<String> seen = new HashSet<>();
        await().until(() -> {
            seen.add(shop.replica());
            return seen.size() == 2;
        });
        assertThat(seen).as("late answers are nobody's").containsExactlyInAnyOrder("frozen", "sound");
    }

    @Test
    void whereThereIsNoOtherReplicaAPauseIsOnlyAPause() throws Exception {
        RealShop frozen = serveFrozenLater("frozen");
        Shop shop = lookup(SUSPECT_SOON);
        Pending<String> call = callThatFreezes(shop, frozen);
        Pending<String> other = Cleave.async(shop::replica);

        freezing.thaw();
        frozen.gate.countDown();

        assertThat(call.await()).isEqualTo("frozen");
        assertThat(other.await()).isEqualTo("frozen");
        assertThat(frozen.executed).hasValue(2);
    }

    @Test
    void plainCallsEndInDoubtWhenItIsGivenUp() throws Exception {
        RealShop frozen = serveFrozenLater("frozen");
        Shop shop = lookup(DOWN_SOON);
        frozen.gate = new CountDownLatch(1);
        Pending<Void> call = Cleave.async(() -> shop.nothing());
        frozen.entered.await();
        freezing.freeze();
        serve("sound");

        assertThatThrownBy(call::await)
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.maybeExecuted())
                        .isTrue())
                .hasMessageContaining("no sign of life for 300 ms");
        freezing.thaw();
        frozen.gate.countDown();
        assertThat(frozen.executed).hasValue(1);
    }
}
