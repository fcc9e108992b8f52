package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException;
import dev.cleave.CallException.CallSite;
import dev.cleave.ConnectionLostException;
import dev.cleave.NoReplicaException;
import dev.cleave.call.Failures;
import dev.cleave.call.LaneResults;
import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.call.PeerTables;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.client.ServiceRoute.Wish;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.config.Balance;
import dev.cleave.config.Bindings;
import dev.cleave.config.Carrier;
import dev.cleave.config.Dispatch;
import dev.cleave.config.ServiceBinding;
import dev.cleave.intercept.Interceptors;
import dev.cleave.ref.References;
import dev.cleave.ref.Target;
import dev.cleave.ref.Ways;
import dev.cleave.replica.RetryBudget;
import dev.cleave.serial.Reference;
import dev.cleave.serial.WrittenValue;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Peer;
import dev.cleave.transport.Transport;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.SharedLane;
import dev.cleave.wire.Welcome;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The calling side of one node: its links, its session with the broker, its stubs. Thread-safe.
 */
public final class Client implements AutoCloseable {

    /** The interval at which replicas are asked for their load, while a balance policy needs it. */
    static final Duration ASK_LOADS = Duration.ofMillis(500);

    /** The longest time for which closing waits for one-way calls to be answered. */
    static final Duration LAST_WORDS = Duration.ofSeconds(5);

    private static final RemoteInterface RESULTS = LaneResults.contract();
    private static final System.Logger LOG = SafeLog.of(Client.class);
    private static final long ASK_SERVICE_MILLIS = 100;

    private final StubContext side;
    private final Links links;
    private final BrokerSession broker;
    private final @Nullable Brokers brokers;
    private final Map<Link, LaneResults> sources =
            new ConcurrentHashMap<>(); // of results, by direct links to their servers
    private volatile Bindings bindings;
    private final AtomicBoolean asking = new AtomicBoolean();
    private final AtomicBoolean scheduled = new AtomicBoolean();
    private volatile boolean closed;
    private final RandomGenerator random;
    private final Resends resends;

    /**
     * The transport and address of the broker.
     *
     * @param transport the transport to the broker and to all other peers
     * @param endpoints the addresses of the brokers of one cluster, of which any may be dialled; one at least
     * @param patience how long to wait for a broker that does not answer yet
     */
    public record Door(Transport transport, List<Endpoint> endpoints, Duration patience) {

        /** Checks its components. */
        public Door {
            requireNonNull(transport, "transport");
            endpoints = List.copyOf(endpoints);
            requireNonNull(patience, "patience");
        }
    }

    private Client(
            LinkContext context,
            References references,
            Links links,
            BrokerSession broker,
            @Nullable Brokers brokers,
            Bindings bindings,
            RandomGenerator random,
            Function<String, Interceptors> interceptors) {
        this.links = links;
        this.broker = broker;
        this.brokers = brokers;
        if (brokers != null) {
            brokers.serve(broker);
        }
        this.bindings = bindings;
        this.random = random;
        ExecutorService threads = Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "cleave-resend-" + context.hello().node());
            thread.setDaemon(true);
            return thread;
        });
        resends = new Resends(threads, context.timer(), new RetryBudget(context.timer()::nanos, random));
        side = new StubContext(
                context,
                references,
                resends,
                new OneWays(),
                interceptors,
                new LiveStubs(),
                new GroupLanes(),
                this::result);
    }

    /**
     * Connects to the broker.
     *
     * @param owner handles the frames of the links
     * @param references counts the references that are sent
     * @param random spreads reconnects and first choices
     * @param interceptors what stands around the calls of a service, by its name
     * @throws dev.cleave.transport.TransportException if the broker cannot be reached
     */
    public static Client connect(
            Door broker,
            LinkContext context,
            LinkOwner owner,
            References references,
            Bindings bindings,
            RandomGenerator random,
            Function<String, Interceptors> interceptors) {
        requireNonNull(bindings, "bindings");
        Brokers brokers = new Brokers(broker.transport(), broker.endpoints(), context, owner, random);
        BrokerSession session = BrokerSession.connect(brokers, broker.patience(), context, random);
        Links links = new Links(broker.transport(), context, owner);
        return new Client(context, references, links, session, brokers, bindings, random, interceptors);
    }

    /** Creates the calling side of a node without a broker, which calls objects alone. */
    public static Client ofObjects(
            Transport transport,
            LinkContext context,
            LinkOwner owner,
            References references,
            Bindings bindings,
            RandomGenerator random) {
        Links links = new Links(transport, context, owner);
        BrokerSession none = BrokerSession.none(context, random);
        return new Client(context, references, links, none, null, bindings, random, service -> Interceptors.NONE);
    }

    /** The session with the broker. */
    public BrokerSession broker() {
        return broker;
    }

    /**
     * Creates a stub of a service. Asks the broker every {@value #ASK_SERVICE_MILLIS} ms for a service that it does not
     * know.
     *
     * @param patience how long to wait for the service
     * @throws NoReplicaException if the broker does not know the service in that time, or the thread is interrupted
     * @throws IllegalArgumentException if no stub can be made of the interface
     */
    public Object stub(RemoteInterface contract, Duration patience) {
        WatchedService service = broker.watch(contract.service(), this::service);
        if (!service.set().isKnown() && !patience.isZero()) {
            service = await(contract.service(), service, patience);
        }
        if (!service.set().isKnown()) {
            throw new NoReplicaException(
                    "service " + contract.service() + " is not known to the broker (bind it first)",
                    CallException.Execution.NOT_EXECUTED,
                    new CallSite(contract.service(), "Node.lookup", null, true),
                    null);
        }
        return stub(contract, service);
    }

    /**
     * Creates a stub of a service that need not be bound yet: calls wait for its first replica.
     *
     * @throws IllegalArgumentException if no stub can be made of the interface
     */
    public Object expectedStub(RemoteInterface contract) {
        return stub(contract, broker.expect(contract.service(), this::service));
    }

    private Object stub(RemoteInterface contract, WatchedService service) {
        service.spread().serve(contract);
        side.context().versions().uses(contract);
        askLoads();
        return StubFactory.stub(contract, new ServiceCalls(contract, side, new CarriedRoute(service, Carrier.AUTO)));
    }

    private WatchedService await(String name, WatchedService unknown, Duration patience) {
        unknown.waits(patience);
        WatchedService service = unknown;
        long until = side.context().timer().nanos() + patience.toNanos();
        while (!service.set().isKnown()
                && !closed
                && until - side.context().timer().nanos() > 0) {
            try {
                TimeUnit.MILLISECONDS.sleep(ASK_SERVICE_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return service;
            }
            try {
                if (broker.link().isPresent()) { // else the session is dialling
                    service = broker.watch(name, this::service);
                }
            } catch (ConnectionLostException e) {
                LOG.log(System.Logger.Level.DEBUG, "the broker was lost while a service was awaited", e);
            }
        }
        return service;
    }

    /** Creates a stub that leads to one object. */
    public Object stub(Target target) {
        return StubFactory.stub(target.contract(), new ServiceCalls(target, side));
    }

    /**
     * Returns the tables of the node at an endpoint, which is dialled if there is no link to it.
     *
     * @throws dev.cleave.transport.TransportException if it cannot be reached
     */
    public PeerTables dial(String endpoint) {
        return links.to(endpoint).tables(0);
    }

    /** Returns the way through the broker to another node; null if there is none. */
    public @Nullable PeerTables throughBroker(Reference.Owner owner) {
        return broker.peer(owner);
    }

    /**
     * Reaches a replica of a service, as a call of the service would.
     *
     * @throws CallException if there is none
     */
    public Ways.Reached replica(String service) {
        WatchedService known = broker.watch(service, this::service);
        try {
            Hop way = known.first(new Wish(null, RemoteMethod.Conduct.DEFAULT_DEADLINE.toNanos(), true), Carrier.AUTO);
            way.leave();
            if (way.replica() != null) {
                Peer there = way.link().peer();
                return new Ways.Reached(
                        new Reference.Owner(there.node(), there.incarnation(), ""),
                        way.link().tables(0));
            }
            Replicas.Replica chosen = known.anyLive();
            Reference.Owner owner = new Reference.Owner(chosen.name(), chosen.incarnation(), "");
            PeerTables peer = broker.peer(owner);
            if (peer != null) {
                return new Ways.Reached(owner, peer);
            }
            throw new NoHopException(ErrorCode.CONNECTION_LOST, "the broker has no way to " + chosen.name(), null);
        } catch (NoHopException e) {
            CallSite site = new CallSite(service, "Node.put", null, true);
            throw Failures.exception(
                    e.code(), CallException.Execution.NOT_EXECUTED, String.valueOf(e.getMessage()), site, e.getCause());
        }
    }

    /**
     * Fetches the result of a call of another server, which this node dials if need be. The future ends within the
     * deadline of calls. The thread that reads the answer completes it: tasks that depend on it may not block.
     */
    public CompletableFuture<WrittenValue> result(SharedLane lane, int call) {
        CompletableFuture<WrittenValue> fetched = new CompletableFuture<>();
        Link open = lane.endpoint().equals(SharedLane.BROKER) ? null : links.open(lane.endpoint());
        if (open != null) {
            fetch(() -> new LinkRoute(open, 0), lane, call, fetched);
            return fetched;
        }
        try {
            resends.submitNow(() -> fetch(() -> way(lane), lane, call, fetched)); // dialling may block
        } catch (RejectedExecutionException e) { // the node is closing
            fetched.completeExceptionally(e);
        }
        return fetched;
    }

    private CompletableFuture<WrittenValue> result(Link from, SharedLane lane, int call) {
        int peer = lane.endpoint().equals(SharedLane.BROKER)
                ? broker.runs(from, lane).peer()
                : 0;
        return result(new LinkRoute(from, peer), lane, call);
    }

    private CompletableFuture<WrittenValue> result(LinkRoute from, SharedLane lane, int call) {
        return stub(from).result(lane.high(), lane.low(), call).thenApply(WrittenValue::of);
    }

    /** The stub with which results are fetched over a route; those of direct links are kept as long as these. */
    private LaneResults stub(LinkRoute from) {
        if (from.peer() != 0) {
            return (LaneResults) StubFactory.stub(RESULTS, new ServiceCalls(RESULTS, side, from));
        }
        LaneResults known = sources.get(from.link());
        if (known == null) {
            sources.keySet().removeIf(Link::isClosed);
            known = (LaneResults) StubFactory.stub(RESULTS, new ServiceCalls(RESULTS, side, from));
            sources.put(from.link(), known);
        }
        return known;
    }

    private void fetch(Supplier<LinkRoute> way, SharedLane lane, int call, CompletableFuture<WrittenValue> fetched) {
        try {
            CompletableFuture<?> unused = result(way.get(), lane, call).whenComplete((value, failure) -> {
                if (failure == null) {
                    fetched.complete(value);
                } else {
                    fetched.completeExceptionally(failure);
                }
            });
        } catch (RuntimeException | Error e) { // it cannot be reached, or there is no memory: the caller has the value
            fetched.completeExceptionally(e);
        }
    }

    /** The way to the server of a lane; waits for it. */
    private LinkRoute way(SharedLane lane) {
        if (!lane.endpoint().equals(SharedLane.BROKER)) {
            return new LinkRoute(links.to(lane.endpoint()), 0);
        }
        PeerTables there = broker.runs(broker.link().orElse(null), lane);
        return new LinkRoute(there.link(), there.peer());
    }

    /** Takes the list of a broker of a cluster. On the event thread. */
    public void welcomed(Link from, Welcome said) {
        if (brokers != null) {
            brokers.onWelcome(from, said);
        }
    }

    /** The id of the broker of the cluster to which this node is connected. */
    public Optional<String> brokerId() {
        return brokers == null ? Optional.empty() : brokers.current();
    }

    /** The brokers of the cluster; none if there is one broker alone. */
    public List<Welcome.Broker> brokers() {
        return brokers == null ? List.of() : brokers.known();
    }

    /** Handles that the peer of a link is suspect or no longer: new calls avoid it or return. */
    public void suspicionChanged() {
        broker.watched().forEach(WatchedService::suspicionChanged);
    }

    /** Whether services have been looked up. */
    public boolean hasStubs() {
        return !broker.watched().isEmpty();
    }

    /** How many calls wait for their outcome. */
    public int pendingCalls() {
        return links.pendingCalls() + broker.link().map(Link::pendingCalls).orElse(0);
    }

    /** How many one-way calls have failed. */
    public long oneWayFailures() {
        return side.oneWays().failures();
    }

    /** How many calls have been sent to one more replica because they took long ({@code hedge}). */
    public long hedges() {
        return resends.hedges();
    }

    /** How many of the {@link #hedges} were answered first. */
    public long hedgesWon() {
        return resends.hedgesWon();
    }

    /** Closes all links, after pending one-way calls have been answered or {@link #LAST_WORDS} have passed. */
    @Override
    public void close() {
        closed = true;
        side.oneWays().drain(LAST_WORDS);
        broker.close();
        if (brokers != null) {
            brokers.close();
        }
        links.close();
        resends.close();
    }

    private WatchedService service(String name) {
        Spread spread =
                new Spread(balance(bindings, name), random, side.context().timer()::nanos);
        return new WatchedService(
                name,
                links,
                nanos -> broker.link().or(() -> broker.awaitLink(nanos)),
                this::toBroker,
                spread,
                resends::submitNow);
    }

    /** Returns the link to a broker that relays calls; dials it if there is none. */
    private Link toBroker(String endpoint) {
        Link linked = brokers == null ? null : brokers.linked(endpoint);
        return linked != null ? linked : links.toBroker(endpoint);
    }

    /**
     * Applies the balance policies of another application file from now on.
     *
     * @throws IllegalArgumentException if an affinity cannot be computed; the services before it have changed
     */
    public void rebalance(Bindings changed) {
        bindings = changed;
        for (WatchedService service : broker.watched()) {
            boolean wasPartEnough = service.spread().isPartEnough();
            service.spread().change(balance(changed, service.service()));
            if (service.spread().isPartEnough() != wasPartEnough) {
                broker.watchAgain(service);
            }
        }
        askLoads();
    }

    /** Lets the calls of all stubs of services that begin from now on be as the interfaces that a function returns say. */
    public void change(UnaryOperator<RemoteInterface> changed) {
        side.stubs().change(changed);
    }

    private static Balance balance(Bindings bindings, String service) {
        return bindings.service(service)
                .map(ServiceBinding::dispatch)
                .orElse(Dispatch.DEFAULT)
                .balance();
    }

    /** Asks replicas for their load, repeatedly while a service needs it. */
    private void askLoads() {
        if (!asking.compareAndSet(false, true)) {
            return;
        }
        boolean needed = false;
        try {
            for (WatchedService service : broker.watched()) {
                if (service.spread().needsReports()) {
                    needed = true;
                    service.askLoads();
                }
            }
        } finally { // after an Error, too
            asking.set(false);
            askLoadsLater(needed);
        }
    }

    private void askLoadsLater(boolean needed) {
        if (needed && !closed && scheduled.compareAndSet(false, true)) {
            side.context().timer().schedule(ASK_LOADS, () -> {
                scheduled.set(false);
                askLoads();
            });
        }
    }
}
