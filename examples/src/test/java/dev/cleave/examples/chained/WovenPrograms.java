package dev.cleave.examples.chained;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.agent.scan.CallSettings;
import dev.cleave.agent.scan.ClassFileSource;
import dev.cleave.agent.scan.RemoteInterfaceIndex;
import dev.cleave.agent.transform.Weaver;
import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.concurrent.SystemTimer;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.Transport;
import dev.cleave.transport.netty.NettyTransport;
import io.netty.util.ResourceLeakDetector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.AfterEach;

/** Programs as written and as the agent rewrites them, on real nodes around a real broker. */
abstract class WovenPrograms {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final List<AutoCloseable> open = new ArrayList<>();
    private Broker broker;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
        if (broker != null) {
            broker.close();
        }
    }

    /** Starts the broker; calls of the service go by that route. */
    final void start(String service, String route) {
        start(List.of(service), route);
    }

    /** Starts the broker; calls of these services go by that route. */
    final void start(List<String> services, String route) {
        String routes = services.stream()
                .map(service -> service + ": {route: " + route + "}")
                .collect(Collectors.joining(", "));
        Bindings bindings = Bindings.parse("services: {" + routes + "}", "cleave.yaml");
        broker = Broker.start(BrokerOptions.at(Endpoint.tcp("localhost", 0)).with(bindings));
    }

    final Node node(String name) {
        return node(name, null);
    }

    /** A node; null stands for the transport that users get. */
    final Node node(String name, Transport transport) {
        Node node = Node.connect(
                NodeOptions.DEFAULT.withName(name).withBroker(broker.endpoint()).withTransport(transport));
        open.add(node);
        return node;
    }

    /** A program as the agent rewrites it. */
    static <T> T woven(T program, Class<T> type) {
        RemoteInterfaceIndex index = new RemoteInterfaceIndex(ClassFileSource::ofResources, CallSettings.NONE);
        String name = program.getClass().getName();
        ClassLoader outer = WovenPrograms.class.getClassLoader();
        byte[] written = ClassFileSource.ofResources(outer, name.replace('.', '/'));
        byte[] woven = new Weaver(index, ClassFileSource::ofResources)
                .weave(outer, written)
                .classFile();
        assertThat(woven).isNotEqualTo(written);
        ClassLoader loader = new ClassLoader(outer) {
            @Override
            protected Class<?> loadClass(String wanted, boolean resolve) throws ClassNotFoundException {
                return wanted.equals(name)
                        ? defineClass(name, woven, 0, woven.length)
                        : super.loadClass(wanted, resolve);
            }
        };
        try {
            return type.cast(loader.loadClass(name).getDeclaredConstructor().newInstance());
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    /**
     * Closes a server as soon as a number of calls have entered it and the next one waits at the gate; then opens the gate. Does not outlive a
     * test that fails before: it would take a processor from all that follow.
     */
    static Thread killer(Node server, Semaphore gate, IntSupplier entered, int calls) {
        long begun = System.nanoTime();
        Thread killer = new Thread(() -> {
            while (entered.getAsInt() < calls || !gate.hasQueuedThreads()) {
                if (System.nanoTime() - begun > PATIENCE.toNanos()) {
                    return;
                }
                LockSupport.parkNanos(50_000);
            }
            server.close();
            gate.release(1_000);
        });
        killer.start();
        return killer;
    }

    /** What a program returns or throws, as text. */
    static String outcome(Supplier<Object> program) {
        try {
            return "value " + program.get();
        } catch (RuntimeException e) {
            return "threw " + e;
        }
    }

    /** A node's calls take a millisecond there and back; without the search for leaked buffers, which costs more than calls. */
    final void overOneMillisecond(Consumer<Node> test) {
        ResourceLeakDetector.Level level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.DISABLED);
        LinkProfile profile = new LinkProfile(Duration.ofNanos(500_000), 0, Duration.ZERO);
        try (SystemTimer precise = SystemTimer.precise("link");
                Transport link = new LinkTransport(NettyTransport.create(), profile, precise);
                Node far = node("far", link)) {
            test.accept(far);
        } finally {
            ResourceLeakDetector.setLevel(level);
        }
    }

    /** Waits until no peer holds an object of a node; values that the program has dropped may need the collector. */
    static void assertNoneIsHeld(Node node) {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            System.gc();
            return node.exportedObjects() == 0;
        });
    }

    /** The median of a ratio, measured anew, at most five times, while it is less than expected: others may use the machine. */
    static double bestMedian(double expected, int rounds, DoubleSupplier ratio) {
        double best = median(rounds, ratio);
        for (int i = 1; i < 5 && best < expected; i++) {
            best = Math.max(best, median(rounds, ratio));
        }
        return best;
    }

    private static double median(int rounds, DoubleSupplier ratio) {
        return DoubleStream.generate(ratio).limit(rounds).sorted().toArray()[rounds / 2];
    }
}
