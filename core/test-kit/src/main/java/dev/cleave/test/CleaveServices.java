package dev.cleave.test;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.Broker;
import dev.cleave.broker.BrokerOptions;
import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.LinkProfile;
import dev.cleave.transport.LinkTransport;
import dev.cleave.transport.Transport;
import dev.cleave.transport.local.LocalTransport;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A broker, a server and a client in the process of a test, over the in-process transport: calls take the same way as between
 * processes, without sockets.
 *
 * <pre>
 *   &#64;RegisterExtension
 *   final CleaveServices services = CleaveServices.create().serving("warehouse", Warehouse.class, new StoredWarehouse());
 *
 *   &#64;Test
 *   void countsOverlap() {
 *       services.on(Warehouse.class, "stock").together(2);
 *       new Inventory(services.lookup("warehouse", Warehouse.class)).count(items);
 *       services.calls("stock").overlapped();
 *   }
 * </pre>
 *
 * <p>As an extension it is started before each test and closed after it, with its rules and recorded calls forgotten. Without
 * JUnit, or in a {@code @BothWays} test: {@link #start()} and {@link #close()}. The methods that return it are called before it is
 * started, those for rules and calls by any thread.
 */
public final class CleaveServices implements BeforeEachCallback, AfterEachCallback, AutoCloseable {

    /** More than calls that a test has in flight, so that the calls of a test never wait for each other unnoticed. */
    private static final int WORKERS = 256;

    private static final int QUEUE = 10_000;

    private final Map<String, Service<?>> services = new LinkedHashMap<>();
    private final Deque<AutoCloseable> started = new ArrayDeque<>();
    private final Observation observation = new Observation();
    private Bindings bindings = Bindings.NONE;
    private Duration delay = Duration.ZERO;
    private @Nullable Node client;
    private @Nullable TestClock clock;
    private @Nullable CuttableTransport cuttable;

    private CleaveServices() {}

    private record Service<T>(Class<T> type, T implementation) {

        T observed(Observation observation) {
            return observation.observed(type, implementation);
        }
    }

    /** Creates services that are not started. */
    public static CleaveServices create() {
        return new CleaveServices();
    }

    /**
     * Adds a service.
     *
     * @param name the name that clients look up
     * @param type the remote interface
     * @param implementation the object that serves it; the same for all tests that share this extension
     */
    public <T> CleaveServices serving(String name, Class<T> type, T implementation) {
        services.put(
                name, new Service<>(requireNonNull(type, "type"), requireNonNull(implementation, "implementation")));
        return this;
    }

    /** Reads call styles and all else of broker, server and client from an application file. */
    public CleaveServices withFile(Path file) {
        bindings = Bindings.load(file);
        return this;
    }

    /** Delays all that the client sends and receives, so that a round trip takes twice as long as the delay. */
    public CleaveServices withDelay(Duration oneWay) {
        delay = requireNonNull(oneWay, "oneWay");
        return this;
    }

    /**
     * Starts broker, server and client.
     *
     * @throws IllegalStateException if they are started already
     */
    public synchronized CleaveServices start() {
        if (client != null) {
            throw new IllegalStateException("started already (expected: close() before)");
        }
        LocalTransport local = opened(LocalTransport.create());
        Endpoint door = Endpoint.local("cleave-test-" + UUID.randomUUID());
        TestClock time = opened(new TestClock());
        clock = time;
        observation.begin(time);
        Broker unused = opened(
                Broker.start(BrokerOptions.at(door).with(local).with(bindings).with(time)));
        NodeOptions options =
                NodeOptions.DEFAULT.withBroker(door).withBindings(bindings).withTimer(time);
        CuttableTransport served = new CuttableTransport(local);
        cuttable = served;
        Node server = opened(Node.connect(
                options.withTransport(served).withName("cleave-test-server").withCapacity(WORKERS, QUEUE)));
        services.forEach((name, service) -> server.bind(name, service.observed(observation)));
        client = opened(Node.connect(options.withTransport(slowed(local, time)).withName("cleave-test-client")));
        return this;
    }

    private Transport slowed(Transport local, TestClock time) {
        return delay.isZero() ? local : new LinkTransport(local, new LinkProfile(delay, 0, Duration.ZERO), time);
    }

    private <T extends AutoCloseable> T opened(T resource) {
        started.push(resource);
        return resource;
    }

    /** Returns a stub of a service. */
    public <T> T lookup(String name, Class<T> type) {
        return client().lookup(name, type);
    }

    /**
     * Returns the client's node.
     *
     * @throws IllegalStateException if nothing is started
     */
    public synchronized Node client() {
        if (client == null) {
            throw new IllegalStateException("not started (expected: @RegisterExtension on the field, or start())");
        }
        return client;
    }

    /** Begins a rule for the calls of a method, of all its overloads. The latest rule for a method holds. */
    public Rule on(Class<?> type, String method) {
        return observation.rule(type, method);
    }

    /**
     * Cuts all connections of the server, as a network that fails. Client and server connect again; what becomes of calls in
     * flight is what becomes of them after such a cut between processes.
     */
    public synchronized void cut() {
        if (cuttable == null) {
            throw new IllegalStateException("not started (expected: @RegisterExtension on the field, or start())");
        }
        cuttable.cut();
    }

    /**
     * Sets the clock of client, server and broker forward, as if that much time had passed at once: deadlines, delays of the link,
     * {@link Rule#takes} and caches pass by it. Returns when what is due then has been done.
     *
     * @throws IllegalStateException if nothing is started
     * @throws InterruptedException if this thread is interrupted
     */
    public void advance(Duration time) throws InterruptedException {
        TestClock now;
        synchronized (this) {
            now = clock;
        }
        if (now == null) {
            throw new IllegalStateException("not started (expected: @RegisterExtension on the field, or start())");
        }
        now.advance(time);
    }

    /** Returns the calls that have reached the services up to now, in the order in which they began. */
    public Calls calls() {
        return observation.calls();
    }

    /** Returns those calls of a method. */
    public Calls calls(String method) {
        return observation.calls().of(method);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        start();
    }

    @Override
    public void afterEach(ExtensionContext context) {
        close();
    }

    /** Ends calls that a rule holds, closes all that was started, and forgets rules and calls. */
    @Override
    public synchronized void close() {
        observation.end();
        RuntimeException failure = null;
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                failure = failure == null ? new IllegalStateException("closing the services: " + e, e) : failure;
            }
        }
        client = null;
        clock = null;
        cuttable = null;
        if (failure != null) {
            throw failure;
        }
    }
}
