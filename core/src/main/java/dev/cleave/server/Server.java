package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Failures;
import dev.cleave.call.LaneResults;
import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.PeerTables;
import dev.cleave.call.Ratings;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.call.RightsGuard;
import dev.cleave.call.TypeVersions;
import dev.cleave.intercept.Interceptors;
import dev.cleave.metrics.MetricValue;
import dev.cleave.ref.References;
import dev.cleave.ref.Stores;
import dev.cleave.serial.WrittenValue;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.stream.StreamKey;
import dev.cleave.stream.StreamReceiver;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.CallClaim;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Lane;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.LaneShare;
import dev.cleave.wire.Load;
import dev.cleave.wire.LoadWatch;
import dev.cleave.wire.Methods;
import dev.cleave.wire.PendingArgument;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import dev.cleave.wire.SharedLane;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * The services of one node, and the way of a request to the object that serves it.
 *
 * <p>Thread-safe.
 */
public final class Server implements AutoCloseable {

    private static final String RESULTS = LaneResults.SERVICE + '\n';

    private final LinkContext context;
    private final Map<String, Exported> services = new ConcurrentHashMap<>();
    private final Map<String, Integer> declared = new ConcurrentHashMap<>(); // highest number of a class, by service
    private final Map<String, Target> targets = new ConcurrentHashMap<>(); // by service + '\n' + key
    private final Dispatcher common;
    private final ObjectCalls objects;
    private final Lanes lanes = new Lanes();
    private final InlineCalls inline;
    private final SerialGates gates;
    private final Function<String, Interceptors> interceptors;
    private final MovingCalls moving;
    private volatile ResultSource others = (lane, call) -> CompletableFuture.failedFuture(new IllegalStateException());

    /** Fetches results of calls from other servers. */
    public interface ResultSource {

        /** The result of a call of a lane of another server; its future ends within the deadline of calls. */
        CompletableFuture<WrittenValue> fetch(SharedLane lane, int call);
    }

    /**
     * How many calls run and wait.
     *
     * @param workers threads that run calls
     * @param queue the most calls that wait
     */
    public record Capacity(int workers, int queue) {

        /** One thread for each core but at least four, and a queue of 1,024 calls. */
        public static final Capacity DEFAULT =
                new Capacity(Math.max(4, Runtime.getRuntime().availableProcessors()), 1024);

        /** Checks its components. */
        public Capacity {
            if (workers < 1 || queue < 1) {
                throw new IllegalArgumentException(
                        "workers, queue: " + workers + ", " + queue + " (expected: at least 1 each)");
            }
        }
    }

    private record Target(Exported exported, RemoteMethod method, boolean isInline) {}

    private Server(
            LinkContext context, ObjectCalls objects, Dispatcher common, Function<String, Interceptors> interceptors) {
        this.context = requireNonNull(context, "context");
        this.common = common;
        inline = new InlineCalls(context.timer());
        moving = new MovingCalls(context.timer());
        this.objects = objects;
        gates = objects.gates();
        this.interceptors = interceptors;
        enter(exported(LaneResults.contract(), new KeptResults(lanes, context.timer()), common));
    }

    /** Sets how results of calls come from other servers. */
    public void connected(ResultSource source) {
        others = source;
    }

    /** Starts the workers of a node without services, which serve the objects that it gives out. */
    public static Server start(LinkContext context, References references, Capacity capacity) {
        return start(context, references, capacity, service -> Interceptors.NONE);
    }

    /**
     * Starts the workers of a node without services.
     *
     * @param interceptors what stands around the methods of a service, by its name; of an object without a name, by the name
     *     of its interface
     */
    public static Server start(
            LinkContext context,
            References references,
            Capacity capacity,
            Function<String, Interceptors> interceptors) {
        return new Server(
                context,
                new ObjectCalls(context, references, capacity, interceptors),
                Dispatcher.start(context.hello().node(), capacity.workers(), capacity.queue(), context.timer()),
                interceptors);
    }

    /**
     * Serves an object, on the node's workers.
     *
     * @throws IllegalArgumentException if the service is served already, or no skeleton can be made
     */
    public void add(RemoteInterface contract, Object target) {
        put(contract, target, common);
    }

    /** Serves an object on workers of its own. */
    public void add(RemoteInterface contract, Object target, Capacity capacity) {
        Dispatcher own = Dispatcher.start(contract.service(), capacity.workers(), capacity.queue(), context.timer());
        put(contract, target, own);
    }

    /**
     * Serves an object in the place of the one that has its name: no call in between finds none. Calls that wait go to
     * the object that they came to.
     */
    public void replace(RemoteInterface contract, Object target) {
        Exported before = services.get(contract.service());
        if (before == null) {
            add(contract, target);
            return;
        }
        Exported after = exported(contract, target, before.dispatcher());
        services.put(contract.service(), after);
        declared.put(contract.service(), TypeVersions.numbered(contract, context.types()));
        enter(after);
        targets.values().removeIf(t -> t.exported() == before);
    }

    /** Serves a service no longer; calls that wait are refused. */
    public void remove(String service) {
        Exported gone = services.remove(service);
        if (gone == null) {
            return;
        }
        declared.remove(service);
        targets.values().removeIf(t -> t.exported() == gone);
        moving.removed(service);
        Consumer<Invocation> refusing = call -> {
            call.refuse(ErrorCode.NO_SUCH_METHOD, "service " + service + " has been unbound");
            call.link().flush();
        };
        lanes.take(call -> call.serves(gone), refusing);
        gone.dispatcher().take(call -> call.serves(gone), refusing);
        if (gone.dispatcher() != common) {
            gone.dispatcher().close();
        }
    }

    /** The names of the services. */
    public Set<String> services() {
        return Set.copyOf(services.keySet());
    }

    /** A client names methods that it is going to call: it is told the classes of their services, as they are here. */
    public void onMethods(Link link, Methods said) {
        if (said.peer() != 0 || !link.isAccepted()) {
            return;
        }
        PeerTables caller = link.tables(0);
        for (Methods.Method method : said.methods()) {
            int highest = declared.getOrDefault(method.service(), -1);
            if (highest >= 0
                    && (context.guard().isOpen() || context.guard().sees(caller.identity(), method.service()))) {
                caller.announceTypes(highest);
            }
        }
    }

    /** Handles a request. Retains the frame to keep it. */
    public void onRequest(Link link, ByteBuf frame) {
        RequestHead head = RequestHead.read(frame);
        PeerTables caller = link.tables(head.peer());
        String name = caller.methods().name(head.method());
        if (name.startsWith(References.MARK)) {
            if (!head.options().pending().isEmpty()) {
                refuse(link, head, ErrorCode.PROTOCOL, "pending arguments of an object (expected: of a service)");
                return;
            }
            String near = Stores.storeOf(name);
            if (near != null && !context.guard().mayCall(caller.identity(), near)) {
                String what = "put values near " + near.replace('\n', '.');
                refuse(link, head, ErrorCode.DENIED, RightsGuard.refusal(caller.identity(), what));
                return;
            }
            String kind = Stores.storeOfObject(name);
            if (kind != null
                    && !context.guard().isOpen()
                    && !objects.references().holds(caller, kind)) { // what it holds is its right
                String what = "put values near objects that it does not hold, " + kind;
                refuse(link, head, ErrorCode.DENIED, RightsGuard.refusal(caller.identity(), what));
                return;
            }
            Invocation.Origin from = new Invocation.Origin(link, head, objects.references());
            objects.onRequest(
                    from,
                    name,
                    frame,
                    call -> hand(call, head.options()),
                    (code, why) -> refuse(link, head, code, why));
            return;
        }
        if (name.startsWith(RESULTS)
                && !head.options().pending().isEmpty()) { // which this server would dial others for
            refuse(link, head, ErrorCode.PROTOCOL, "pending arguments of a fetch (expected: of a service)");
            return;
        }
        if (!mayCall(caller, name)) {
            String what = "call " + name.replace('\n', '.');
            refuse(link, head, ErrorCode.DENIED, RightsGuard.refusal(caller.identity(), what));
            return;
        }
        Target target = targets.get(name);
        if (target == null) {
            refuseUnknown(link, head, name);
            return;
        }
        Invocation call = invocation(link, head, frame, target);
        describe(call, head.options());
        hand(call, head.options());
    }

    /** Whether a caller has the right to a call; results of lanes are given to each peer that shows the key of the lane. */
    private boolean mayCall(PeerTables caller, String name) {
        return context.guard().isOpen()
                || name.startsWith(RESULTS)
                || context.guard().mayCall(caller.identity(), name);
    }

    private void refuseUnknown(Link link, RequestHead head, String name) {
        String service = name.substring(0, name.indexOf('\n'));
        Exported exported = services.get(service);
        String why = exported != null
                ? missing(exported.contract(), name.substring(service.length() + 1))
                : "service " + service + " is not bound on " + context.hello().node();
        refuse(link, head, ErrorCode.NO_SUCH_METHOD, why);
    }

    /** Refuses a request that has not been decoded. */
    private void refuse(Link link, RequestHead head, ErrorCode code, String why) {
        Failure failure = new Failure(head.peer(), head.id(), code, Execution.NOT, why);
        link.write(failure.write(link.connection().allocator()));
        link.flush();
        Lane lane = head.options().lane();
        if (lane != null) {
            lanes.refused(lane, link, head.peer());
        }
    }

    private static String missing(RemoteInterface contract, String key) {
        String name = key.substring(0, Math.max(0, key.indexOf('(')));
        String others =
                contract.keys().stream().filter(k -> k.startsWith(name + "(")).collect(Collectors.joining(", "));
        return "service " + contract.service() + " has no method " + key + " (is the client newer than the server? "
                + contract.type().getName() + " has "
                + (others.isEmpty() ? "no method of this name" : others) + " there)";
    }

    /** The call of a request, in a spare object if it will run here and now. */
    private Invocation invocation(Link link, RequestHead head, ByteBuf frame, Target target) {
        RequestOptions options = head.options();
        boolean runsNow = target.isInline()
                && options.lane() == null
                && options.blocks().isEmpty()
                && link.connection().mayRunProgram();
        Invocation spare = runsNow ? inline.takeSpare() : null;
        return spare != null
                ? spare.again(link, head, frame.retain(), target.exported(), target.method())
                : new Invocation(
                        new Invocation.Origin(link, head, objects.references()),
                        frame.retain(),
                        target.exported(),
                        target.method());
    }

    /** Fetches the result of a call of a lane, of this server or another one. */
    private CompletableFuture<WrittenValue> fetch(SharedLane lane, int call) {
        Lanes.Key key = new Lanes.Key(lane.high(), lane.low());
        return lanes.has(key) ? lanes.fetch(key, call, this) : others.fetch(lane, call);
    }

    private void describe(Invocation call, RequestOptions options) {
        if (!options.pending().isEmpty()) {
            List<PendingArgument> lacking = options.pending();
            FetchedResults fetched =
                    options.shared().isEmpty() ? null : new FetchedResults(lacking, options.shared(), this::fetch);
            call.turn().lacks(lacking, fetched);
        }
        if (options.uses() > 0) {
            call.turn().letStay(options.uses());
        }
        if (options.isAwaited() && options.lane() == null) {
            call.isAwaitedFromTheBeginning();
        }
        if (options.isMovable() && options.blocks().isEmpty()) {
            call.turn().letMove();
        }
        if (options.hasMoved()) {
            moving.arrived(call.service());
        }
    }

    private void hand(Invocation call, RequestOptions options) {
        Lane lane = options.lane();
        int peer = call.peer();
        if (!options.blocks().isEmpty() && !opens(call, options.blocks())) {
            if (lane != null) {
                lanes.refused(lane, call.link(), peer);
            }
            return;
        }
        SerialGate gate = call.turn().gate();
        if (gate != null && !gate.arrive(call)) {
            if (call.claim()) {
                call.refuse(ErrorCode.OVERLOAD, "the queue of the server is full");
                call.link().flush();
            }
            if (lane != null) {
                lanes.refused(lane, call.link(), peer);
            }
        } else if (lane == null) {
            if (!call.hasArrived() || !inline.run(call)) {
                call.turn().begins();
            }
        } else {
            lanes.arrive(lane, call, peer);
        }
    }

    /** Makes room for the large arguments of a call, or refuses it. */
    private boolean opens(Invocation call, List<Blocks> blocks) {
        Invocation.Key key = call.key();
        try {
            ReceiveBudget.Room room = call.isSentAhead() ? ReceiveBudget.Room.AHEAD : ReceiveBudget.Room.ARRIVING;
            StreamReceiver arriving =
                    call.link().streams().open(new StreamKey(key.peer(), key.id(), false), blocks, room);
            arriving.whenDropped(() -> refuse(
                    call.link(),
                    key.peer(),
                    key.id(),
                    ErrorCode.OVERLOAD,
                    "arguments: they did not arrive, and others needed their room"));
            call.receives(arriving);
            return true;
        } catch (WireException e) {
            if (call.claim()) {
                call.refuse(Failures.code(e), "arguments: " + e.getMessage());
                call.link().flush();
            }
            return false;
        }
    }

    /** Handles that the caller sends no more calls in a lane. */
    public void onLaneEnd(Link link, LaneEnd end) {
        lanes.end(link, end);
    }

    /** Handles that other servers may fetch the results of a lane. */
    public void onLaneShare(Link link, LaneShare share) {
        lanes.share(link, share);
    }

    /** Handles that the broker watches, or no longer watches, the load of a service here. */
    public void onLoadWatch(Link broker, LoadWatch watch) {
        Exported watched = services.get(watch.service());
        moving.watched(broker, watch, watched == null ? null : watched.dispatcher());
    }

    /** Handles that the broker claims calls that wait here, for other replicas. */
    public void onClaim(Link broker, CallClaim claim) {
        moving.claimed(broker, claim);
    }

    /** Moves calls that callers wait for before those that are only sent ahead, where no order was promised. */
    public void onAwaited(Link link, Awaited awaited) {
        for (long id : awaited.calls()) {
            Invocation.Key key = new Invocation.Key(link, awaited.peer(), id);
            dispatchers().forEach(dispatcher -> dispatcher.promote(key));
            objects.promote(key);
        }
    }

    /**
     * Handles that the caller gave a call up: if it has not begun it is not executed, and the caller is told so; if it runs,
     * its thread is interrupted.
     */
    public void onCancel(Link link, int peer, long id) {
        refuse(link, peer, id, ErrorCode.CANCELLED, "cancelled before it began");
        Invocation.Key key = new Invocation.Key(link, peer, id);
        dispatchers().forEach(dispatcher -> dispatcher.giveUp(key));
        objects.giveUp(key);
    }

    /**
     * Handles that the connection of a relayed client has broken: a call that has not begun is not executed, and the broker is
     * told so; one that runs is not told, since its client may ask for its outcome.
     */
    public void onCallerGone(Link link, int peer, long id) {
        refuse(link, peer, id, ErrorCode.CANCELLED, "the connection of its caller broke before it began");
    }

    private void refuse(Link link, int peer, long id, ErrorCode code, String why) {
        lanes.refuse(link, peer, id, code, why);
        Invocation.Key key = new Invocation.Key(link, peer, id);
        Consumer<Invocation> refusing = call -> {
            call.refuse(code, why);
            link.flush();
        };
        dispatchers().forEach(dispatcher -> dispatcher.take(key, refusing));
        objects.take(key, refusing);
    }

    /** Drops the calls of a relayed client that has gone and that have not begun. */
    public void onPeerGone(Link link, int peer) {
        lanes.gone(link, peer);
        take(call -> call.belongsTo(link, peer), Invocation::drop);
    }

    /** Drops the calls of a link that has gone and that have not begun. */
    public void onClosed(Link link) {
        lanes.gone(link);
        moving.closed(link);
        take(call -> call.belongsTo(link), Invocation::drop);
    }

    /** Returns how many waiting calls a caller is known to be blocked on. */
    public int awaitedCalls() {
        return dispatchers().stream().mapToInt(Dispatcher::awaitedCalls).sum();
    }

    /** How many results of calls are kept for other calls, or waited for by other servers. */
    public int keptResults() {
        return lanes.results();
    }

    /** Returns how many calls workers have taken to run them, since the services were added. */
    public long taken() {
        return dispatchers().stream().mapToLong(Dispatcher::taken).sum();
    }

    /** Adds what was measured of the calls of each service. */
    public void addTo(List<MetricValue> samples) {
        services.forEach((name, service) -> service.order().paces().addTo(name, samples));
    }

    /** Returns how many of the calls that run are ending the JVM: their threads wait for its end. */
    public int exiting() {
        return dispatchers().stream().mapToInt(Dispatcher::exiting).sum();
    }

    /** How busy the node is. */
    public Load load() {
        int queued = 0;
        int oldest = 0;
        int running = 0;
        int capacity = 0;
        for (Dispatcher dispatcher : dispatchers()) {
            Load load = dispatcher.load();
            queued += load.queued();
            oldest = Math.max(oldest, load.oldestMillis());
            running += load.running();
            capacity += load.capacity();
        }
        return new Load(queued, oldest, running, capacity);
    }

    @Override
    public void close() {
        List.copyOf(services.keySet()).forEach(this::remove);
        inline.close();
        lanes.take(call -> true, Invocation::drop);
        common.close();
        objects.close();
    }

    private void put(RemoteInterface contract, Object target, Dispatcher dispatcher) {
        Exported exported = exported(contract, target, dispatcher);
        if (services.putIfAbsent(contract.service(), exported) != null) {
            if (dispatcher != common) {
                dispatcher.close();
            }
            throw new IllegalArgumentException(
                    "service " + contract.service() + " is bound on this node already (use rebind)");
        }
        declared.put(contract.service(), TypeVersions.numbered(contract, context.types()));
        enter(exported);
    }

    private Exported exported(RemoteInterface contract, Object target, Dispatcher dispatcher) {
        Ratings ratings = Ratings.of(contract);
        SerialGate gate = gates.of(target);
        if (gate != null) {
            checkOrder(contract, target);
        }
        InlineMethods inline = InlineMethods.checked(contract, target.getClass());
        Interception around = new Interception(interceptors.apply(contract.service()));
        Class<?> taking = around.seesArguments() ? contract.type() : target.getClass();
        EarlyMethods early = EarlyMethods.of(contract, taking, ratings);
        return new Exported(
                contract,
                new Exported.Targets(target, around.around(contract, target), around),
                SkeletonFactory.skeleton(contract, ratings, early),
                context.codec(contract),
                new Exported.Order(dispatcher, ratings, gate, inline, early, new Paces(contract)));
    }

    private static void checkOrder(RemoteInterface contract, Object target) {
        for (RemoteMethod method : contract.methods()) {
            if (method.priority() != null) {
                throw new IllegalArgumentException(method.label() + ": priority \"" + method.priority()
                        + "\" of calls of " + target.getClass().getName()
                        + ", which is @Serial (expected: no priority, since they run in the order in which"
                        + " they arrive)");
            }
        }
    }

    private void enter(Exported exported) {
        for (RemoteMethod method : exported.contract().methods()) {
            targets.put(
                    exported.contract().service() + '\n' + method.key(),
                    new Target(exported, method, exported.order().inline().has(method)));
        }
    }

    private void take(Predicate<Invocation> which, Consumer<Invocation> action) {
        dispatchers().forEach(d -> d.take(which, action));
        objects.take(which, action);
    }

    private Set<Dispatcher> dispatchers() {
        Set<Dispatcher> all = new HashSet<>();
        all.add(common);
        services.values().forEach(s -> all.add(s.dispatcher()));
        return all;
    }
}
