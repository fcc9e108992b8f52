package dev.cleave.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.cleave.Cleave;
import dev.cleave.ConnectionLostException;
import dev.cleave.Pending;
import dev.cleave.Remote;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.EffectOf;
import dev.cleave.transport.CuttingTransport;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.netty.NettyTransport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of the relayed calls of a group when the connection between their server and the broker is cut. */
@Tag("one-jdk")
@Timeout(120)
@EffectOf("services.group")
class CutGroupTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final Bindings BINDINGS = Bindings.parse(
            "services: {book: {route: relay, methods: {write: {style: async, group: pages}}}}", "cleave.yaml");

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final List<Integer> begun = new ArrayList<>(); // guarded by itself
    private final List<Integer> ended = new ArrayList<>(); // guarded by itself
    private final CountDownLatch gate = new CountDownLatch(1);
    private volatile CuttingTransport ofFirst; // of the replica that runs the first call
    private Book book;

    /** Writes down. */
    @Remote
    interface Book {

        int write(int entry);
    }

    private int write(int entry, CuttingTransport by) {
        if (entry == 1) {
            ofFirst = by;
        }
        add(begun, entry);
        if (entry == 1) {
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        add(ended, entry);
        return -entry;
    }

    private static void add(List<Integer> to, int entry) {
        synchronized (to) {
            to.add(entry);
        }
    }

    private static List<Integer> copy(List<Integer> of) {
        synchronized (of) {
            return List.copyOf(of);
        }
    }

    @BeforeEach
    void start() {
        Broker broker =
                Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(BINDINGS));
        open.push(broker);
        for (String name : List.of("one", "two")) {
            CuttingTransport cutting = new CuttingTransport(NettyTransport.create());
            open.push(cutting);
            Node server =
                    connect(broker, NodeOptions.DEFAULT.withTransport(cutting).withName(name));
            server.bind("book", (Book) entry -> write(entry, cutting));
        }
        book = connect(broker, NodeOptions.DEFAULT.withName("client")).lookup("book", Book.class);
    }

    private Node connect(Broker broker, NodeOptions options) {
        Node node = Node.connect(
                options.withBroker(broker.endpoint()).withBindings(BINDINGS).withCapacity(4, 1024));
        open.push(node);
        return node;
    }

    @AfterEach
    void stop() throws Exception {
        gate.countDown();
        while (!open.isEmpty()) {
            open.pop().close();
        }
    }

    private Pending<Integer> send(int entry) {
        return Cleave.async(() -> book.write(entry));
    }

    private static void assertInDoubt(Pending<Integer> call) {
        assertThatThrownBy(call::await)
                .isInstanceOfSatisfying(ConnectionLostException.class, e -> assertThat(e.maybeExecuted())
                        .isTrue());
    }

    @Test
    void aCallInDoubtMayEndBehindTheNextOfItsGroupAndWhatWaitedBehindItNeverRuns() throws Exception {
        Pending<Integer> running = send(1);
        Pending<Integer> waiting = send(2);
        await().atMost(PATIENCE).until(() -> copy(begun).equals(List.of(1)));

        assertThat(ofFirst.cutAllBut(Endpoint.tcp("localhost", 1))).isEqualTo(1);

        assertInDoubt(running);
        assertInDoubt(waiting);
        assertThat(send(3).await()).isEqualTo(-3);
        assertThat(copy(ended))
                .as("the first runs still, at the replica that was cut off")
                .containsExactly(3);
        gate.countDown();
        await().atMost(PATIENCE).until(() -> copy(ended).size() == 2);
        assertThat(copy(ended)).isEqualTo(List.of(3, 1));
        assertThat(copy(begun)).isEqualTo(List.of(1, 3));
    }
}
