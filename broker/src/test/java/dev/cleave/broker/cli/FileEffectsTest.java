package dev.cleave.broker.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.DeadlineException;
import dev.cleave.Idempotent;
import dev.cleave.Remote;
import dev.cleave.ValueCodec;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.testing.EffectOf;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.io.IOException;
import java.io.ObjectInput;
import java.io.ObjectOutput;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What keys of an application file do in replicas and clients that run. */
@Timeout(120)
@Tag("one-jdk")
class FileEffectsTest {

    private static final CountDownLatch NEVER = new CountDownLatch(1);

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private Broker broker;

    /** A service. */
    @Remote
    public interface Desk {

        /** Says what this replica was told. */
        String told();

        /** Passes a value on. */
        Colour mixed(Colour colour);

        /** Does not return at the replica that was told so. */
        @Idempotent
        String blocks() throws InterruptedException;

        /** Passes bytes on. */
        byte[] copy(byte[] bytes);
    }

    /** Its implementation. */
    public static final class RealDesk implements Desk {

        private final Map<String, String> options;

        /** Makes one. */
        public RealDesk(Map<String, String> options) {
            this.options = options;
        }

        @Override
        public String told() {
            return options.toString();
        }

        @Override
        public Colour mixed(Colour colour) {
            return colour;
        }

        @Override
        public String blocks() throws InterruptedException {
            if (options.containsKey("blocks")) {
                NEVER.await();
            }
            return "returned";
        }

        @Override
        public byte[] copy(byte[] bytes) {
            return bytes;
        }
    }

    /** A value. */
    public record Colour(int rgb) {}

    /** Writes it. */
    public static final class ColourCodec implements ValueCodec<Colour> {

        static final AtomicInteger WRITTEN = new AtomicInteger();

        @Override
        public Class<Colour> type() {
            return Colour.class;
        }

        @Override
        public void write(Colour value, ObjectOutput out) throws IOException {
            WRITTEN.incrementAndGet();
            out.writeInt(value.rgb());
        }

        @Override
        public Colour read(ObjectInput in) throws IOException {
            return new Colour(in.readInt());
        }
    }

    @BeforeEach
    void start() {
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)));
    }

    @AfterEach
    void stop() throws Exception {
        while (!open.isEmpty()) {
            open.pop().close();
        }
        broker.close();
    }

    private static Bindings file(String root, String service) {
        return Bindings.parse(
                root + "\nservices:\n  desk: {interface: " + Desk.class.getName() + ", implementation: "
                        + RealDesk.class.getName() + ", " + service + "}\n",
                "cleave.yaml");
    }

    private void serve(String replica, Bindings file) {
        open.push(ReplicaHost.start(replica, Path.of("cleave.yaml"), file, List.of(broker.endpoint()), false));
    }

    private Node node(Bindings file) {
        Node node =
                Node.connect(NodeOptions.DEFAULT.withBroker(broker.endpoint()).withBindings(file));
        open.push(node);
        return node;
    }

    private Desk desk(Bindings file) {
        return node(file).lookup("desk", Desk.class);
    }

    @Test
    @EffectOf({"services.interface", "services.implementation", "services.replicas.options"})
    void aReplicaServesTheClassWithItsOptionsThroughTheInterface() {
        Bindings file = file("", "replicas: [{name: a, options: {speed: 2}}]");

        serve("a", file);

        assertThat(desk(Bindings.NONE).told()).isEqualTo("{speed=2}");
        assertThat(node(Bindings.NONE).list().get(0).interfaceName()).isEqualTo(Desk.class.getName());
    }

    @Test
    @EffectOf({"hosts", "services.replicas.host"})
    void clientsDialTheHostThatTheTableGives() {
        Bindings file = file("hosts: {far: 127.0.0.2}", "replicas: [{name: a, host: far}]");

        open.push(ReplicaHost.start("a", Path.of("cleave.yaml"), file, List.of(broker.endpoint()), true));

        assertThat(node(Bindings.NONE).list().get(0).replicas())
                .allSatisfy(replica -> assertThat(replica.endpoint()).contains("127.0.0.2"));
        assertThat(desk(Bindings.NONE).told()).isEqualTo("{}");
    }

    @Test
    @EffectOf("broker")
    void aNodeDialsTheBrokerOfTheFile() {
        Bindings file =
                Bindings.parse("broker: cleave://localhost:" + broker.endpoint().port(), "cleave.yaml");
        try (Node node = Node.connect(NodeOptions.DEFAULT.withBindings(file))) {
            assertThat(node.list()).isEmpty();
        }
    }

    @Test
    @EffectOf({"codecs", "services.codecs"})
    void valuesAreWrittenByTheCodecsOfTheFile() {
        String codecs = "codecs: [" + ColourCodec.class.getName() + "]";
        for (Bindings file :
                List.of(file(codecs, "replicas: [{name: a}]"), file("", "replicas: [{name: a}], " + codecs))) {
            ReplicaHost host = ReplicaHost.start("a", Path.of("cleave.yaml"), file, List.of(broker.endpoint()), false);
            int before = ColourCodec.WRITTEN.get();

            assertThat(desk(file).mixed(new Colour(7))).isEqualTo(new Colour(7));

            assertThat(ColourCodec.WRITTEN.get() - before).isEqualTo(2);
            host.close();
        }
    }

    @Test
    @EffectOf({"services.replicas.link", "services.link.per-reply", "services.link.rate"})
    void eachReplyOccupiesTheLinkOfItsReplica() {
        Bindings slow = file(
                "",
                "link: {delay: 1us}, replicas: [{name: a, link: {per-reply: 80ms}}, {name: b, link: {rate: 1MiB/s}}]");
        serve("a", slow);
        assertThat(time(() -> desk(Bindings.NONE).told())).isGreaterThanOrEqualTo(Duration.ofMillis(80));
        serve("b", slow);

        Desk b = desk(Bindings.parse(
                "services: {desk: {replicas: [{name: a}, {name: b}], balance: 'static(\"0:1\")'}}", "cleave.yaml"));
        assertThat(time(() -> b.copy(new byte[100 << 10]))).isGreaterThanOrEqualTo(Duration.ofMillis(190));
    }

    /** A transport of the application: memory, under names of its own. */
    public static final class Bus implements Transport {

        static final LocalTransport MEMORY = LocalTransport.create();
        static final AtomicInteger DIALLED = new AtomicInteger();

        @Override
        public Connection connect(Endpoint endpoint, FrameHandler handler) {
            DIALLED.incrementAndGet();
            return MEMORY.connect(Endpoint.local("bus-" + endpoint.port()), handler);
        }

        @Override
        public Listener listen(Endpoint endpoint, Acceptor acceptor) {
            return MEMORY.listen(Endpoint.local("bus-" + endpoint.port()), acceptor);
        }

        @Override
        public void close() {}
    }

    @Test
    @EffectOf("services.transport")
    void callsTakeATransportOfTheApplication() {
        Bindings file = file("", "replicas: [{name: a}], methods: {told: {transport: " + Bus.class.getName() + "}}");
        serve("a", file);
        int before = Bus.DIALLED.get();
        Desk desk = desk(file);

        assertThat(desk.mixed(new Colour(1))).isEqualTo(new Colour(1));
        assertThat(Bus.DIALLED).hasValue(before);
        assertThat(desk.told()).isEqualTo("{}");
        assertThat(desk.told()).isEqualTo("{}");
        assertThat(Bus.DIALLED).hasValue(before + 1);
        assertThatThrownBy(() -> desk(file("", "transport: com.example.Missing")))
                .hasMessageContaining("transport: com.example.Missing cannot be made");
    }

    @Test
    @EffectOf("services.idempotent")
    void aMethodThatTheFileForbidsToRepeatIsNotHedged() {
        String both = "replicas: [{name: a, options: {blocks: yes}}, {name: b}]";
        serve("a", file("", both));
        serve("b", file("", both));
        String calls = both + ", balance: 'static(\"1:0\")', hedge: 10ms, deadline: 900ms";

        assertThatThrownBy(() -> desk(file("", calls + ", idempotent: false")).blocks())
                .isInstanceOf(DeadlineException.class);
        assertThatThrownBy(() -> desk(file("", calls + ", methods: {blocks: {idempotent: false}}"))
                        .blocks())
                .isInstanceOf(DeadlineException.class);
    }

    @Test
    @EffectOf("admin")
    void theAdminPortOfTheFileAnswers() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Node node = node(Bindings.parse("admin: " + port, "cleave.yaml"));
        node.bind("desk", new RealDesk(Map.of()));

        HttpResponse<String> ready = HttpClient.newHttpClient()
                .send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + "/ready"))
                                .build(),
                        HttpResponse.BodyHandlers.ofString());

        assertThat(ready.statusCode()).isEqualTo(200);
    }

    private static Duration time(Runnable task) {
        long begin = System.nanoTime();
        task.run();
        return Duration.ofNanos(System.nanoTime() - begin);
    }
}
