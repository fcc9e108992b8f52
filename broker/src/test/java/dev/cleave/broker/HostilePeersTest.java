package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.ref.References;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.Credit;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Lane;
import dev.cleave.wire.Methods;
import dev.cleave.wire.PendingArgument;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A peer behind the broker that breaks the protocol ends its own calls at a server, and no others. */
@Tag("one-jdk")
@Timeout(120)
class HostilePeersTest {

    private static final String PASS = "pass(I)I";
    private static final String FILL = "fill([B)I";
    private static final int PATIENCE_SECONDS = 20;

    /** The service. */
    @Remote
    interface Gate {

        int pass(int number);

        int fill(byte[] value);
    }

    /** What the peer does, which has called {@code pass} once and has the methods {@code pass} and {@code fill}. */
    enum Act {
        A_SERVICE_OF_TWO_LINES(peer -> peer.node.send(new Methods(0, List.of(new Methods.Method(2, "ga\nte", PASS))))),
        A_PENDING_ARGUMENT_OF_AN_OBJECT(peer -> {
            peer.node.send(new Methods(0, List.of(new Methods.Method(2, References.MARK + "ref", "get()V"))));
            RequestOptions options = RequestOptions.NONE
                    .in(new Lane(1, Lane.Kind.DEPENDENT, true))
                    .lacking(List.of(new PendingArgument(0, 0, 0)));
            peer.request(new RequestHead(peer.server, 90, 2, 5_000_000, options), 16);
        }),
        MORE_BYTES_THAN_IT_ANNOUNCED(peer -> {
            RequestOptions options = RequestOptions.NONE.followedBy(List.of(new Blocks('B', 100_000)));
            peer.request(new RequestHead(0, 91, 1, 5_000_000, options), 0);
            for (int i = 0; i < 3; i++) {
                ByteBuf chunk = new Chunk(0, 91, false, false)
                        .begin(peer.node.connection().allocator(), 60_000);
                chunk.writeZero(60_000);
                Header.finish(chunk);
                peer.node.connection().write(chunk);
            }
            peer.node.connection().flush();
        }),
        CREDIT_OF_NOTHING(peer -> {
            peer.request(new RequestHead(0, 92, 0, 5_000_000), 4);
            peer.node.send(new Credit(0, 92, true, Integer.MAX_VALUE));
        });

        private final Consumer<Hostile> act;

        Act(Consumer<Hostile> act) {
            this.act = act;
        }
    }

    private record Hostile(TestNode node, int server) {

        void request(RequestHead head, int bytes) {
            ByteBuf frame = head.begin(node.connection().allocator(), bytes).writeZero(bytes);
            Header.finish(frame);
            node.connection().write(frame);
            node.connection().flush();
        }
    }

    private final List<AutoCloseable> open = new ArrayList<>();
    private final CountDownLatch entered = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private Broker broker;

    private final class RealGate implements Gate {

        @Override
        public int pass(int number) {
            if (number == 7) {
                entered.countDown();
                try {
                    assertThat(released.await(PATIENCE_SECONDS, TimeUnit.SECONDS))
                            .isTrue();
                } catch (InterruptedException e) {
                    return -1;
                }
            }
            return number;
        }

        @Override
        public int fill(byte[] value) {
            return value.length;
        }
    }

    @BeforeEach
    void start() {
        broker = open(Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0))));
        node("server").bind("gate", new RealGate());
    }

    @AfterEach
    void close() throws Exception {
        released.countDown();
        for (int i = open.size() - 1; i >= 0; i--) {
            open.get(i).close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void callsOfOthersThroughTheSameBrokerGoOn(Act act) throws Exception {
        Gate gate = node("client").lookup("gate", Gate.class);
        CompletableFuture<Integer> running = CompletableFuture.supplyAsync(() -> gate.pass(7));
        assertThat(entered.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        Transport transport = open(NettyTransport.create(NettyOptions.DEFAULT));
        TestNode node = open(TestNode.connect(transport, broker.endpoint(), "hostile"));
        node.send(new Methods(0, List.of(new Methods.Method(0, "gate", PASS), new Methods.Method(1, "gate", FILL))));
        node.call(80, 0, 5_000_000, "four");
        ByteBuf reply = node.awaitFrame(frame -> Header.id(frame) == 80 && Header.kind(frame) == FrameKind.REPLY);
        Hostile hostile = new Hostile(node, Header.peer(reply));

        act.act.accept(hostile);
        if (!node.closed) {
            node.call(81, 0, 5_000_000, "four");
        }
        Gate later = node("later").lookup("gate", Gate.class);
        for (int i = 0; i < 20; i++) {
            assertThat(later.pass(100 + i)).isEqualTo(100 + i);
        }
        released.countDown();

        assertThat(running.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(7);
    }

    private Node node(String name) {
        return open(Node.connect(NodeOptions.DEFAULT
                .withName(name)
                .withBroker(broker.endpoint())
                .withBindings(Bindings.parse("services: {gate: {route: relay}}", "cleave.yaml"))
                .withPatience(Duration.ZERO)));
    }

    private <T extends AutoCloseable> T open(T made) {
        open.add(made);
        return made;
    }
}
