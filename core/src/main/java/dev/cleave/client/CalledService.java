package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.FrameRoom;
import dev.cleave.call.LaneResults;
import dev.cleave.call.LinkContext;
import dev.cleave.call.PeerTables;
import dev.cleave.call.Ratings;
import dev.cleave.call.RemoteInterface;
import dev.cleave.call.RemoteMethod;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.HedgeAfter;
import dev.cleave.intercept.Interceptors;
import dev.cleave.ref.References;
import dev.cleave.ref.Target;
import dev.cleave.replica.AnswerTimes;
import dev.cleave.serial.Codec;
import dev.cleave.serial.Reference;
import dev.cleave.stream.AheadRoom;
import dev.cleave.wire.Hello;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/** The state that the calls of one stub share: routes, numbers, and what was measured of their methods. Thread-safe. */
final class CalledService {

    private static final int RESULTS_LEARNED = 8;

    private final RemoteInterface contract;
    private final @Nullable Target target;
    private final StubContext side;
    private final ServiceRoute route;
    private final ServiceRoute[] routes; // by the index of the method: each for its carrier
    private final Codec codec;
    private final int[] numbers;
    private final AtomicReferenceArray<@Nullable AnswerTimes> times; // by the index of the method, for measured hedges
    private final AtomicReferenceArray<@Nullable Deadlines> deadlines; // by the index of the method
    private final AtomicLongArray results; // by the index of the method: expected bytes of a result
    private final FrameRoom requests;
    private final GroupLanes groups;
    private final Ratings ratings;

    /** Creates the state of a service, or of the one object that {@code target} leads to. */
    CalledService(RemoteInterface contract, StubContext side, ServiceRoute route, @Nullable Target target) {
        this.contract = requireNonNull(contract, "contract");
        this.side = requireNonNull(side, "side");
        this.route = requireNonNull(route, "route");
        this.target = target;
        codec = side.context().codec(contract);
        groups = target == null ? new GroupLanes() : side.objectGroups();
        ratings = Ratings.ofCaller(contract);
        routes = routes(contract, route);
        times = new AtomicReferenceArray<>(routes.length);
        deadlines = new AtomicReferenceArray<>(routes.length);
        results = new AtomicLongArray(routes.length);
        requests = new FrameRoom(routes.length);
        numbers = new int[routes.length];
        for (int i = 0; i < numbers.length; i++) {
            numbers[i] = side.context()
                    .methodNumber(contract.service(), contract.methods().get(i).key());
        }
    }

    /** Creates the state of a service whose calls are made otherwise from now on: the order of groups goes on. */
    CalledService(CalledService before, RemoteInterface contract) {
        this.contract = contract;
        side = before.side;
        route = before.route;
        target = before.target;
        codec = before.codec;
        groups = before.groups;
        ratings = Ratings.ofCaller(contract);
        numbers = before.numbers;
        results = before.results;
        requests = before.requests;
        routes = routes(contract, route);
        times = new AtomicReferenceArray<>(routes.length);
        deadlines = new AtomicReferenceArray<>(routes.length);
    }

    private static ServiceRoute[] routes(RemoteInterface contract, ServiceRoute route) {
        List<RemoteMethod> methods = contract.methods();
        ServiceRoute[] routes = new ServiceRoute[methods.size()];
        for (int i = 0; i < routes.length; i++) {
            routes[i] = route.by(methods.get(i).conduct().traffic().carrierOrAuto());
        }
        return routes;
    }

    /** Returns the parts that all stubs of the node share. */
    StubContext side() {
        return side;
    }

    /** The name of the service. */
    String name() {
        return contract.service();
    }

    /** The name that a program knows: of an object without a name, that of its interface. */
    String publicName() {
        return target == null ? contract.service() : contract.type().getName();
    }

    /** Whether nodes call it for themselves, and no program does. */
    boolean isOfNodes() {
        return contract.type() == LaneResults.class;
    }

    /** Returns what stands around its calls. */
    Interceptors interceptors() {
        return side.interceptors().apply(publicName());
    }

    RemoteInterface contract() {
        return contract;
    }

    /** The object that is called; null if a service is. */
    @Nullable
    Target target() {
        return target;
    }

    /** The number of the object that is called; null if a service is. */
    Reference.@Nullable Number object() {
        return target == null ? null : target.number();
    }

    /** The node that has the object which is called; null if a service is. */
    Reference.@Nullable Owner owner() {
        return target == null ? null : target.reference().owner();
    }

    /**
     * Returns the object that all calls of a chain have in common, compared by identity: the service, or the connection to the node
     * that has the object. Null if the calls can be in no chain: the object is reached through a broker, or not at all, or its node is
     * too old.
     */
    @Nullable
    Object together() {
        if (target == null) {
            return this;
        }
        PeerTables peer = target.peer();
        return peer != null && peer.peer() == 0 && peer.link().has(Hello.OBJECT_LANES) ? peer : null;
    }

    /** Returns the route of calls of any method. */
    ServiceRoute route() {
        return route;
    }

    /** Returns the route of the calls of a method. */
    ServiceRoute route(RemoteMethod method) {
        return routes[method.index()];
    }

    /** The number of a method in requests. */
    int number(RemoteMethod method) {
        return numbers[method.index()];
    }

    Codec codec() {
        return codec;
    }

    Timer timer() {
        return context().timer();
    }

    LinkContext context() {
        return side.context();
    }

    Resends resends() {
        return side.resends();
    }

    OneWays oneWays() {
        return side.oneWays();
    }

    References references() {
        return side.references();
    }

    GroupLanes groups() {
        return groups;
    }

    /** Returns what computes the priorities of its calls. */
    Ratings ratings() {
        return ratings;
    }

    /** Returns the room for calls that are sent before the program has come to their places. */
    AheadRoom aheadRoom() {
        return context().budget().ahead();
    }

    /** Returns the measured times of the calls of a method, by which it is hedged. */
    AnswerTimes times(RemoteMethod method, HedgeAfter by) {
        AnswerTimes known = times.get(method.index());
        if (known != null) {
            return known;
        }
        AnswerTimes made = new AnswerTimes(by.perMille());
        return times.compareAndSet(method.index(), null, made) ? made : requireNonNull(times.get(method.index()));
    }

    /** Returns the queue of calls of a method that take as long as it says. */
    Deadlines deadlines(RemoteMethod method) {
        Deadlines known = deadlines.get(method.index());
        if (known != null) {
            return known;
        }
        Deadlines made = new Deadlines(timer());
        return deadlines.compareAndSet(method.index(), null, made)
                ? made
                : requireNonNull(deadlines.get(method.index()));
    }

    /** Returns what allocates the buffers of requests. */
    FrameRoom requests() {
        return requests;
    }

    /** Returns the bytes that the next result of a method probably has; 0 if unknown or few. */
    long expectedResult(RemoteMethod method) {
        return results.get(method.index());
    }

    /** Learns the bytes of a result: the expectation rises at once to a larger result, and falls step by step. */
    void hasResult(RemoteMethod method, long bytes) {
        long before = results.get(method.index());
        if (bytes >= AheadRoom.LEAST || before > 0) {
            long next = bytes >= before ? bytes : before - (before - bytes) / RESULTS_LEARNED - 1;
            results.lazySet(method.index(), next < AheadRoom.LEAST ? 0 : next);
        }
    }
}
