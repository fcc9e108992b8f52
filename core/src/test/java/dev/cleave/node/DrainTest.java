package dev.cleave.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.testing.FakeBroker;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that leaves as planned. */
@Tag("one-jdk")
class DrainTest {

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private NettyTransport transport;
    private FakeBroker broker;

    @BeforeEach
    void start() {
        transport = NettyTransport.create();
        broker = FakeBroker.start(transport, Endpoint.tcp("localhost", 0));
    }

    @AfterEach
    void close() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        broker.close();
        transport.close();
        Buffers.assertNoneInUse();
    }

    private Node node(String name) {
        Node node = Node.connect(
                NodeOptions.DEFAULT.withBroker(broker.endpoint()).withName(name).withTransport(transport));
        open.push(node);
        return node;
    }

    @Test
    void callsThatAreUnderWayAndThoseThatWaitEndBeforeItIsGone() throws Exception {
        RealShop shop = new RealShop("one");
        shop.gate = new CountDownLatch(1);
        Node server = node("one");
        server.bind("shop", shop);
        Shop stub = node("client").lookup("shop", Shop.class);
        Pending<Void> running = Cleave.async(() -> stub.nothing());
        shop.entered.await();
        Pending<Integer> waiting = Cleave.async(() -> stub.slow(20, 7));

        CompletableFuture<Boolean> drained = CompletableFuture.supplyAsync(server::drain);
        await().until(() -> broker.replicas("shop") == 0);
        shop.gate.countDown();

        running.await();
        assertThat(waiting.await()).isEqualTo(7);
        assertThat(drained.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void noneOfManyPlainCallsIsLostWhenReplicasLeaveAndCome() throws Exception {
        List<RealShop> shops = new ArrayList<>();
        shops.add(new RealShop("stays"));
        node("stays").bind("shop", shops.get(0));
        Shop stub = node("client").lookup("shop", Shop.class);
        AtomicBoolean ends = new AtomicBoolean();
        List<CompletableFuture<Integer>> callers = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            callers.add(CompletableFuture.supplyAsync(() -> {
                int made = 0;
                while (!ends.get()) {
                    assertThat(stub.add(made, 1)).isEqualTo(made + 1);
                    made++;
                }
                return made;
            }));
        }

        for (int life = 0; life < 5; life++) {
            RealShop shop = new RealShop("comes");
            shops.add(shop);
            Node server = node("comes");
            server.bind("shop", shop);
            await().atMost(Duration.ofSeconds(30)).until(() -> shop.executed.get() > 0);
            assertThat(server.drain()).isTrue();
        }
        ends.set(true);

        int made = 0;
        for (CompletableFuture<Integer> caller : callers) {
            made += caller.get(30, TimeUnit.SECONDS); // fails if any call failed
        }
        assertThat(shops.stream().mapToInt(shop -> shop.executed.get()).sum()).isEqualTo(made);
    }
}
