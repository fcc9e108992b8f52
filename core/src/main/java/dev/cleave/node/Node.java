package dev.cleave.node;

import static java.util.Objects.requireNonNull;

import dev.cleave.Ref;
import dev.cleave.Serial;
import dev.cleave.call.InterfaceReader;
import dev.cleave.call.LinkContext;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RightsGuard;
import dev.cleave.client.Client;
import dev.cleave.concurrent.SystemTimer;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.ApplicationFile;
import dev.cleave.config.Balance;
import dev.cleave.config.Dispatch;
import dev.cleave.config.FollowedFile;
import dev.cleave.config.ServiceBinding;
import dev.cleave.intercept.Interceptors;
import dev.cleave.metrics.MetricValue;
import dev.cleave.ref.References;
import dev.cleave.server.Server;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Names;
import dev.cleave.wire.Services;
import dev.cleave.wire.Welcome;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.ServiceLoader;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * A process's entry to Cleave: binds objects that other nodes call, and looks up objects of other nodes.
 *
 * <pre>
 *   try (Node node = Node.connect("cleave://localhost:7420")) {
 *       node.bind("compare", new SmithWaterman());
 *       node.await();
 *   }
 * </pre>
 *
 * <p>Thread-safe.
 */
public final class Node implements AutoCloseable {

    /** The system property that names the broker. */
    public static final String BROKER_PROPERTY = "cleave.broker";

    /** The environment variable that names the broker. */
    public static final String BROKER_VARIABLE = "CLEAVE_BROKER";

    /** The system property that names the application file. */
    public static final String FILE_PROPERTY = "cleave.config";

    /** The environment variable that names the application file. */
    public static final String FILE_VARIABLE = "CLEAVE_CONFIG";

    /** How long {@link #drain} waits. */
    public static final Duration LEAVE = Duration.ofSeconds(30);

    /** How long a node that serves waits for its calls when its JVM is to end. */
    public static final Duration LEAVE_AT_EXIT = Duration.ofSeconds(20);

    /** The identity of a broker whose endpoint names none. */
    public static final String BROKER_IDENTITY = "broker";

    private static final Endpoint USUAL_BROKER = Endpoint.tcp("localhost", Endpoint.DEFAULT_PORT);
    private static final SecureRandom SEEDS = new SecureRandom();

    private final NodeOptions options;
    private final List<Endpoint> brokers;
    private final EmbeddedBroker.@Nullable Running embedded;
    private final String name;
    private final long incarnation;
    private final Timer timer;
    private final EmulatedLinks emulated;
    private final Transport transport;
    private final RightsGuard guard;
    private final LinkContext context;
    private final Client client;
    private final Server server;
    private final NodeLinks links;
    private final NodeSettings settings;
    private final NodeEntrance entrance;
    private final InterfaceReader interfaces;
    private final References references;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final KeepAlive alive;
    private final AtExit atExit;
    private final NodeState state;
    private final AtomicReference<@Nullable CompletableFuture<Boolean>> leaving = new AtomicReference<>();

    private Node(
            NodeOptions options,
            List<Endpoint> brokers,
            EmbeddedBroker.@Nullable Running embedded,
            Duration patience,
            RandomGenerator random) {
        this.options = options;
        this.embedded = embedded;
        name = options.name() != null ? options.name() : "node-" + Long.toHexString(random.nextLong() >>> 24);
        // Later processes of a node of the same name must have greater incarnations, on any machine.
        incarnation = System.currentTimeMillis() << 16 | random.nextInt(1 << 16);
        alive = new KeepAlive("cleave-node-" + name);
        timer = options.timer() != null ? options.timer() : SystemTimer.create("cleave-timer-" + name);
        emulated = options.transport() != null
                ? new EmulatedLinks(options.transport(), null)
                : EmulatedLinks.over(
                        new Carriers(Environment.keys(options), Carriers.named(options.bindings())),
                        name,
                        options.bindings());
        transport = emulated.transport();
        this.brokers = brokers.stream()
                .map(broker ->
                        transport.identity() == null || broker.identity() != null ? broker : broker.of(BROKER_IDENTITY))
                .toList();
        guard = new RightsGuard(options.bindings().security().rights(transport.identity()));
        Hello hello = Hello.of(name, incarnation);
        interfaces = new InterfaceReader(options.bindings());
        references = new References(hello, interfaces, timer, SEEDS);
        context = LinkContext.of(hello, references, timer, options.budget(), guard);
        Function<String, Interceptors> interceptors = new NodeInterceptors(options)::of;
        server = Server.start(context, references, options.capacity(), interceptors);
        links = new NodeLinks(server, references);
        try {
            client = Client.connect(
                    new Client.Door(transport, this.brokers, patience),
                    context,
                    links,
                    references,
                    options.bindings(),
                    random,
                    interceptors);
        } catch (RuntimeException e) {
            server.close();
            closeBelow();
            throw e;
        }
        entrance = new NodeEntrance(
                client.broker(),
                new NodeEntrance.Place(transport, options.address().orOfEnvironment(), context, links));
        references.connected(new NodeWays(client, interfaces, entrance::dialled));
        links.connected(client);
        server.connected(client::result);
        links.watch(timer, options.bindings().pings().halved());
        settings = new NodeSettings(name, options.bindings(), client, guard, interfaces, emulated);
        links.onReload(settings::onReload);
        links.onDrain(() -> new Thread(this::drain, "cleave-drain-" + name).start());
        atExit = new AtExit(name, this::leaveAtExit);
        state = new NodeState(server, client, links, () -> closed.getCount() > 0);
        try {
            state.show(options, name);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /**
     * Connects to the broker that the system property {@code cleave.broker} names, else the environment variable
     * {@code CLEAVE_BROKER}, else the application file, else to the one at {@code cleave://localhost:7420}. If none is
     * named and no broker answers there, this method starts a broker there in this process, which ends with this node.
     * The application file is the one that the system property {@code cleave.config} names, else the environment
     * variable {@code CLEAVE_CONFIG}.
     *
     * @throws TransportException if no broker answers, and no {@link EmbeddedBroker} is on the class path
     * @throws dev.cleave.config.ConfigException if there is a mistake in the application file
     */
    public static Node connect() {
        return following(connect(NodeOptions.DEFAULT.withBindings(Environment.bindings())));
    }

    /**
     * Connects to a broker, which may start later: waits for it for {@link NodeOptions#withPatience 30 seconds}.
     *
     * @param broker {@code cleave://host[:port]}; of a cluster any brokers, {@code cleave://host[:port],host[:port]}, or a
     *     name that has the addresses of all in DNS
     * @throws TransportException if no broker answers there in that time
     */
    public static Node connect(String broker) {
        return following(connect(
                NodeOptions.DEFAULT.withBindings(Environment.bindings()).withBrokers(Endpoint.parseAll(broker))));
    }

    /**
     * Connects as the options say. Waits for a broker that they, or property, variable or file, name.
     *
     * @throws TransportException if no broker answers at its address in the time of {@link NodeOptions#withPatience}
     */
    public static Node connect(NodeOptions options) {
        requireNonNull(options, "options");
        List<Endpoint> named = Environment.brokers(options);
        return !named.isEmpty()
                ? new Node(options, named, null, options.patience(), random())
                : connect(options, USUAL_BROKER);
    }

    /** Connects to the broker at an endpoint, and starts one there if there is none. */
    static Node connect(NodeOptions options, Endpoint usual) {
        EmbeddedBroker starter =
                ServiceLoader.load(EmbeddedBroker.class).findFirst().orElse(null);
        if (starter == null) {
            return new Node(options, List.of(usual), null, options.patience(), random());
        }
        try {
            return new Node(options, List.of(usual), null, Duration.ZERO, random());
        } catch (TransportException nobody) {
            return start(options, usual, starter);
        }
    }

    private static Node start(NodeOptions options, Endpoint usual, EmbeddedBroker starter) {
        EmbeddedBroker.Running running;
        try {
            running = starter.start(usual);
        } catch (TransportException taken) {
            return new Node(options, List.of(usual), null, options.patience(), random()); // another process was quicker
        }
        try {
            return new Node(options, List.of(usual), running, Duration.ZERO, random());
        } catch (RuntimeException e) {
            running.close();
            throw e;
        }
    }

    /** A generator of its own for each node: nodes that start together must not choose alike. */
    private static RandomGenerator random() {
        return new Random(SEEDS.nextLong());
    }

    /**
     * Follows an application file: checks it once a second, and applies it when it has changed, as {@link #reload} does. A
     * mistake in the file is logged, and nothing changes.
     */
    public void follow(Path file) {
        Environment.follow(
                FollowedFile.of(file, changed -> {
                    List<String> unused = settings.change(changed);
                }),
                timer,
                () -> closed.getCount() > 0);
    }

    /**
     * Asks the broker to apply an application file, and to pass it on to the nodes that were started with a file of the
     * same application: styles, windows, deadlines, hedges and transports of calls, balance, migration, rights and emulated
     * links are as the file says from then on. Calls that have begun end as they began, and none is lost.
     *
     * @return a line for the broker and for each node, {@code name: what it has done}
     * @throws dev.cleave.config.ConfigException if the file has a mistake
     * @throws dev.cleave.CallException if the broker refuses
     */
    public List<String> reload(Path file) {
        return client.broker().reload(ApplicationFile.flat(file));
    }

    private static Node following(Node node) {
        Environment.file().ifPresent(node::follow);
        return node;
    }

    /** The node's name. */
    public String name() {
        return name;
    }

    /**
     * Serves an object under a name, through the one remote interface that its class implements. While this node serves
     * an object the JVM stays alive, also when {@code main} has returned; {@link System#exit}, {@link #unbind} of all,
     * and {@link #close} end that.
     *
     * @throws IllegalArgumentException if the class implements none or several, the interface has a mistake, or the name is
     *     bound on this node already
     * @throws dev.cleave.CallException if the broker refuses
     */
    public void bind(String service, Object target) {
        requireNonNull(target, "target");
        checkOrder(service, target);
        serve(service, target, RemoteTypes.only(target.getClass(), interfaceName(service)));
    }

    /**
     * Serves an object under a name through a remote interface, as for an object whose class implements several.
     *
     * @throws IllegalArgumentException as for {@link #bind(String, Object)}
     * @throws dev.cleave.CallException if the broker refuses
     */
    public <T> void bind(String service, Class<T> type, T target) {
        requireNonNull(target, "target");
        checkOrder(service, target);
        serve(service, target, type);
    }

    private void checkOrder(String service, Object target) {
        if (dispatch(service).balance() instanceof Balance.Learned
                && target.getClass().isAnnotationPresent(Serial.class)) {
            throw new IllegalArgumentException("service " + service + ": balance: learned of "
                    + target.getClass().getName()
                    + ", which is @Serial (expected: another balance, since its calls run in the"
                    + " order in which they are made)");
        }
    }

    /** Serves an object under a name, and replaces the object that has the name on this node, if there is one. */
    public void rebind(String service, Object target) {
        requireNonNull(target, "target");
        if (!server.services().contains(service)) {
            bind(service, target);
            return;
        }
        RemoteInterface contract =
                interfaces.read(service, RemoteTypes.only(target.getClass(), interfaceName(service)));
        server.replace(contract, target);
        entrance.register(contract, dispatch(service).route());
    }

    /** Stops serving a name. Running calls run to their end. */
    public void unbind(String service) {
        requireNonNull(service, "service");
        client.broker().unregister(service, name);
        server.remove(service);
        alive.hold(this::serves);
    }

    /**
     * Returns a stub of a service, whose calls go to the service's replicas. Waits for a service that no node has bound
     * yet.
     *
     * @param type the remote interface
     * @throws dev.cleave.NoReplicaException if the broker does not know the service in the time of {@link
     *     NodeOptions#withPatience}, or the thread is interrupted
     * @throws IllegalArgumentException if the interface has a mistake, whose method and parameter the message names, or
     *     the name is no possible one
     */
    public <T> T lookup(String service, Class<T> type) {
        RemoteInterface contract = read(service, type);
        return type.cast(client.stub(contract, options.patience()));
    }

    /**
     * Returns a stub of a service that need not be bound yet, and waits for nothing: a call that is made before the
     * service is bound waits for it, at most the call's deadline. {@link dev.cleave.Cleave#async} never blocks for it: such
     * a call ends with {@link dev.cleave.NoReplicaException}.
     *
     * @param type the remote interface
     * @throws IllegalArgumentException if the interface has a mistake, whose method and parameter the message names, or
     *     the name is no possible one
     */
    public <T> T expect(String service, Class<T> type) {
        RemoteInterface contract = read(service, type);
        return type.cast(client.expectedStub(contract));
    }

    /**
     * Makes an object of this node travel as a reference wherever it goes, through the one remote interface that its
     * class implements.
     *
     * <p>An object that is passed where a remote interface is declared does so anyway, as long as a peer holds it. An
     * exported object is kept until {@link #unexport} or the end of this node, and may also go where a supertype is
     * declared.
     *
     * @return the object, to be passed on as it is
     * @throws IllegalArgumentException if its class implements no remote interface, or several
     */
    public <T> T export(T object) {
        references.export(RemoteTypes.only(object.getClass(), null), object);
        return object;
    }

    /**
     * Makes an object of this node travel as a reference through a remote interface.
     *
     * @return the object, to be passed on as it is
     * @throws IllegalArgumentException if the interface has a mistake, or the object is exported through another one
     */
    public <T> T export(Class<T> type, T object) {
        requireNonNull(object, "object");
        references.export(type, object);
        return object;
    }

    /**
     * Takes an object back from all peers that hold it: calls of it fail with a
     * {@link dev.cleave.NoSuchReferenceException} from now on.
     *
     * @return whether peers could call it before
     */
    public boolean unexport(Object object) {
        requireNonNull(object, "object");
        return references.unexport(object);
    }

    /**
     * Returns a reference to a value, which stays in this node until it is freed, or until no node holds its reference.
     */
    public <T extends @Nullable Object> Ref<T> put(T value) {
        return references.stores().put(value);
    }

    /**
     * Puts a value into the node of another object, and returns a reference to it. It stays there until it is freed, or
     * until no node holds its reference.
     *
     * @param value an array of primitives, a string, or an array of these
     * @param near a {@code Ref}, or a stub of a service or object whose interface names {@code Ref}; of a service one
     *     replica is chosen, as for a call
     * @throws IllegalArgumentException if the value or {@code near} is something else
     * @throws IllegalStateException if that node has no room for it: values of other nodes take at most a quarter of its
     *     heap
     * @throws dev.cleave.CallException if the call of that node fails
     */
    public <T> Ref<T> put(T value, Object near) {
        return references.stores().put(requireNonNull(value, "value"), requireNonNull(near, "near"));
    }

    /**
     * Makes an array of zeros that stays in this node, and returns a reference to it.
     *
     * @param type the class of an array of primitives, such as {@code double[].class}
     * @param size the number of elements
     * @throws IllegalArgumentException if the type is another one, or the size is negative
     */
    public <T> Ref<T> create(Class<T> type, int size) {
        return references.stores().create(type, size);
    }

    /**
     * Makes an array of zeros in the node of another object, and returns a reference to it.
     *
     * @param type the class of an array of primitives
     * @param size the number of elements
     * @param near as for {@link #put(Object, Object)}
     * @throws IllegalArgumentException as for {@link #create(Class, int)}, or if {@code near} is something else
     * @throws IllegalStateException if that node has no room for it
     * @throws dev.cleave.CallException if the call of that node fails
     */
    public <T> Ref<T> create(Class<T> type, int size, Object near) {
        return references.stores().create(type, size, requireNonNull(near, "near"));
    }

    /** The number of objects of this node that peers may call. */
    public int exportedObjects() {
        return references.exported();
    }

    /** All services that the broker knows. */
    public List<Services.Service> list() {
        return client.broker().list();
    }

    /** The live brokers of the cluster to which this node is connected; none if its broker is alone. */
    public List<Welcome.Broker> brokers() {
        return client.brokers();
    }

    /** The id of the broker of the cluster to which this node is connected; empty if its broker is alone. */
    public Optional<String> broker() {
        return client.brokerId();
    }

    /** Whether the connection to the broker is open; if it is lost, the node dials the broker again. */
    public boolean isConnected() {
        return client.broker().link().isPresent();
    }

    /** The number of calls of this node that have not ended. */
    public int pendingCalls() {
        return client.pendingCalls();
    }

    /** The number of bytes of large values that are on their way to this node, or wait here for a worker. */
    long arrivingBytes() {
        return context.budget().reserved();
    }

    /** The number of calls that wait at this node and on which a caller is known to be blocked. */
    int awaitedCalls() {
        return server.awaitedCalls();
    }

    /** The number of results that this node keeps for other calls of their callers, or waits for. */
    int keptResults() {
        return server.keptResults();
    }

    /** The number of one-way calls of this node that have failed; their callers are not told otherwise. */
    public long oneWayFailures() {
        return client.oneWayFailures();
    }

    /**
     * The number of calls of this node that were also sent to a second replica because they took long ({@code hedge}).
     */
    public long hedges() {
        return client.hedges();
    }

    /** The number of {@link #hedges} that the second replica answered first. */
    public long hedgesWon() {
        return client.hedgesWon();
    }

    /** Waits until the node is closed. */
    public void await() throws InterruptedException {
        closed.await();
    }

    /**
     * Drains the node, then closes it: takes no new calls, and waits until the calls in flight have ended, at most
     * {@link #LEAVE}. No call is lost, idempotent or not.
     *
     * @return whether all calls had ended
     */
    public boolean drain() {
        return drain(LEAVE, false);
    }

    private boolean drain(Duration most, boolean isAtExit) {
        if (closed.getCount() == 0) {
            return true;
        }
        CompletableFuture<Boolean> own = new CompletableFuture<>();
        CompletableFuture<Boolean> first = leaving.compareAndExchange(null, own);
        if (first != null) {
            return first.join();
        }
        boolean ended = false;
        try {
            state.leaves();
            entrance.close();
            ended = new Departure(server, links, timer, isAtExit).await(client.broker(), name, most);
            close();
        } finally { // after an Error, too
            own.complete(ended);
        }
        return ended;
    }

    /** Leaves because the JVM ends; a broker that does not answer, for example, does not keep it. */
    private void leaveAtExit() {
        Thread drains = new Thread(() -> drain(LEAVE_AT_EXIT, true), "cleave-drain-" + name);
        drains.setDaemon(true);
        drains.start();
        try {
            drains.join(LEAVE_AT_EXIT.plusSeconds(1).toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the values of this node and of the process, as {@code /metrics} shows them. */
    public List<MetricValue> metrics() {
        return state.samples();
    }

    /** Whether this node may get calls: connected to its broker, its services registered, and not leaving. */
    public boolean isReady() {
        return state.isReady();
    }

    /** The port at which this node answers {@code /ready}, {@code /live} and {@code /metrics}; 0 if it does not. */
    public int adminPort() {
        return state.port();
    }

    /**
     * Drains a replica, wherever it runs: asks its node to do {@link #drain()}, and returns when the node has been
     * asked.
     *
     * @param replica its name, which is the name of its node
     * @throws dev.cleave.CallException if the broker knows no replica of the name
     */
    public void drain(String replica) {
        client.broker().drain(requireNonNull(replica, "replica"));
    }

    /** Closes all connections at once. Waiting calls fail. */
    @Override
    public void close() {
        if (closed.getCount() == 0) {
            return;
        }
        closed.countDown();
        settings.close();
        alive.end();
        state.end();
        atExit.disarm();
        client.close();
        entrance.close();
        links.close();
        server.close();
        closeBelow();
    }

    private void closeBelow() {
        if (options.transport() == null) {
            transport.close();
        }
        emulated.close();
        if (options.timer() == null) {
            timer.close();
        }
        if (embedded != null) {
            embedded.close();
        }
    }

    private RemoteInterface read(String service, Class<?> type) {
        RemoteInterface contract = interfaces.read(Names.check("service", service), type);
        references.check(contract);
        return contract;
    }

    private void serve(String service, Object target, Class<?> type) {
        RemoteInterface contract = read(service, type);
        if (service.startsWith(References.MARK)) {
            throw new IllegalArgumentException(
                    "service: " + service + " (expected: a name that does not begin with " + References.MARK + ")");
        }
        state.serves();
        if (options.admin().drainsAtExit()) {
            atExit.arm();
        }
        Dispatch dispatch = dispatch(service);
        if (dispatch.workers() != null || dispatch.queue() != null) {
            Server.Capacity usual = options.capacity();
            server.add(
                    contract,
                    target,
                    new Server.Capacity(
                            dispatch.workers() != null ? dispatch.workers() : usual.workers(),
                            dispatch.queue() != null ? dispatch.queue() : usual.queue()));
        } else {
            server.add(contract, target);
        }
        try {
            entrance.register(contract, dispatch.route());
        } catch (RuntimeException e) {
            server.remove(service);
            throw e;
        }
        alive.hold(this::serves);
    }

    private boolean serves() {
        return !server.services().isEmpty();
    }

    private Dispatch dispatch(String service) {
        return options.bindings().service(service).map(ServiceBinding::dispatch).orElse(Dispatch.DEFAULT);
    }

    private @Nullable String interfaceName(String service) {
        return options.bindings()
                .service(service)
                .map(b -> b.contract().interfaceName())
                .orElse(null);
    }
}
