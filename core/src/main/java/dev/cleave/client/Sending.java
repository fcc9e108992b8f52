package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.Execution;
import dev.cleave.call.Chain;
import dev.cleave.call.ChainLane;
import dev.cleave.call.Failures;
import dev.cleave.call.Link;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.config.Style;
import dev.cleave.ref.Stores;
import dev.cleave.ref.Target;
import dev.cleave.replica.Attempts;
import dev.cleave.replica.Placement;
import dev.cleave.replica.Work;
import dev.cleave.stream.StreamedValue;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Lane;
import dev.cleave.wire.Rating;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import dev.cleave.wire.SharedLane;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Sends calls for the first time. A call that cannot be sent ends as not executed; no method here throws its failure.
 */
final class Sending {

    private Sending() {}

    /** Sends a call on its own; takes over the frame. */
    static void send(OutboundCall call, CalledService service, ByteBuf frame, boolean atOnce) {
        RequestOptions options = reserved(call, frame);
        call.request().keepOf(frame);
        call.letGoIfEnded();
        @Nullable Hop way;
        try {
            ServiceRoute route = service.route(call.method());
            Held held = route.linesUp() && mayBeHeld(call, service)
                    ? new Held(call, service, frame, options, key(call, route, frame), route.learns())
                    : null;
            way = first(call, service, call.allowed().toNanos(), held);
        } catch (NoHopException e) {
            unsent(call, frame, e.code(), e, e.getCause());
            return;
        }
        if (way == null) {
            return;
        }
        ship(call, service, way, frame, options, atOnce);
    }

    private static void ship(
            OutboundCall call, CalledService service, Hop way, ByteBuf frame, RequestOptions options, boolean atOnce) {
        int arguments = frame.readableBytes() - RequestHead.PLAIN_LENGTH;
        Hedge.prepare(call, service, way, frame);
        try {
            Lane lane = service.oneWays().lane(call);
            RequestOptions ordered = ordered(call, service, lane, options, arguments);
            RequestFrame.put(call.request().by(way, ordered, arguments), frame);
        } catch (WireException e) { // the list of its large arguments is too long for the frame
            unsent(call, frame, e.code(), e, e);
            return;
        }
        write(call, service, way, frame, atOnce);
    }

    /** Whether a call may be sent by another thread, after calls that are made later: it is ordered among none. */
    private static boolean mayBeHeld(OutboundCall call, CalledService service) {
        return call.method().conduct().style() != Style.ONE_WAY
                && call.before() == null
                && !service.oneWays().arePending();
    }

    /** Returns what a policy knows of a call: {@link Work} if it has a priority, or the policy learns, else its key. */
    private static @Nullable Object key(OutboundCall call, ServiceRoute route, ByteBuf frame) {
        Object key = call.request().key();
        Rating rating = call.request().rating();
        if (rating != null) {
            return new Work(key, call.method().key(), rating.value());
        }
        if (!route.learns()) {
            return key;
        }
        double bytes = frame.readableBytes() - RequestHead.PLAIN_LENGTH;
        for (Blocks following : call.request().blocks().announcements()) {
            bytes += following.bytes();
        }
        return new Work(key, key != null ? key : call.method().key(), bytes);
    }

    /** Sends a call behind others of a chain or group; takes over the frame. */
    static void send(ClientCall call, CalledService service, ByteBuf frame, Chain in, Order order) {
        PassedResults passed = order.passed();
        List<ChainLane> sources = passed.lanes();
        try {
            List<String> endpoints = endpoints(sources, service, call);
            RequestOptions options = reserved(call, frame, endpoints);
            call.request().keepOf(frame);
            call.letGoIfEnded();
            if (in.isBroken()) {
                throw new NoHopException(ErrorCode.CANCELLED, "not sent: a call before it was not answered", null);
            }
            ChainLane taken = taken(call, service, in, sources);
            if (taken == null && service.oneWays().lane(call) != null) {
                service.oneWays().drain(call.allowed());
            }
            Hop way = taken == null
                    ? requireNonNull(first(call, service, 0, null))
                    : new Hop(taken.link(), taken.replica());
            if (taken != null && call.journey().enter(call, way) <= 0) {
                throw new NoHopException(ErrorCode.CONNECTION_LOST, "not sent: the connection is gone", null);
            }
            ChainLane lane = taken != null
                    ? taken
                    : in.open(service, way.link(), way.replica(), call.journey().id());
            call.follows((ClientCall) in.sends(lane, call));
            Lane next = taken == null ? lane.first() : lane.next();
            order.goesIn(lane, lane.lastNumber());
            RequestOptions all =
                    fetching(call, options, sources, endpoints, lane).in(next);
            passed.takenBy(call, service.references());
            if (mayStay(call, service, lane)) {
                call.onward().keepIn(lane);
                all = all.staying(call.onward().arguments());
            }
            RequestFrame.put(Request.readable(way.link(), all), frame);
            write(call, service, way, frame, false);
        } catch (NoHopException e) {
            in.breakOff();
            unsent(call, frame, e.code(), e, e);
        } catch (WireException e) { // too long with a lane: it may fit without one
            in.breakOff();
            unsent(call, frame, ErrorCode.CANCELLED, e, e);
        }
    }

    /** How the servers of some lanes are reached; empty for those that no other server can reach. */
    private static List<String> endpoints(List<ChainLane> lanes, CalledService service, OutboundCall call) {
        ServiceRoute route = service.route(call.method());
        return lanes.stream().map(lane -> endpoint(lane, route)).toList();
    }

    private static String endpoint(ChainLane lane, ServiceRoute route) {
        return lane.isRelayed()
                ? lane.link().has(FrameKind.LANE_OF.feature()) ? SharedLane.BROKER : ""
                : ChainLane.canShare(lane.link()) ? route.endpoint(lane.link()) : "";
    }

    /**
     * The lane of a chain that a call joins: the first one of its stub, or, if results are passed on, one to a server of
     * its service, first those whose results it needs; null if there is none. All calls of objects join the first one.
     */
    private static @Nullable ChainLane taken(
            OutboundCall call, CalledService service, Chain in, List<ChainLane> sources) {
        List<ChainLane> lanes = new ArrayList<>(sources);
        lanes.addAll(in.lanes());
        if (service.object() != null) { // all calls of the chain or group are of objects of one node
            return lanes.isEmpty() ? null : lanes.get(0);
        }
        for (ChainLane lane : lanes) {
            if (lane.isOf(service)) {
                return lane;
            }
        }
        ServiceRoute route = service.route(call.method());
        for (ChainLane lane : lanes) {
            if (route.leadsOver(lane.link())) {
                return lane;
            }
        }
        return null;
    }

    /** Adds to options which results the server inserts, and from where it fetches those of other servers. */
    private static RequestOptions fetching(
            ClientCall call, RequestOptions options, List<ChainLane> sources, List<String> endpoints, ChainLane lane) {
        PassedResults passed = call.order().passed();
        if (passed.areNone()) {
            return options;
        }
        List<ChainLane> others = new ArrayList<>(sources);
        List<String> there = new ArrayList<>(endpoints);
        int own = others.indexOf(lane);
        if (own >= 0) {
            others.remove(own);
            there.remove(own);
        }
        boolean canGuard = !passed.isGuardedIn(lane)
                || ChainLane.canGuard(lane.link()) && others.stream().allMatch(each -> ChainLane.canGuard(each.link()));
        boolean canFetch = others.isEmpty()
                || canGuard
                        && ChainLane.canShare(lane.link())
                        && !there.contains("")
                        && others.stream().allMatch(each -> each.canBeSharedWith(lane));
        if (!canFetch) {
            throw new NoHopException(ErrorCode.CANCELLED, "not sent: its server cannot fetch a result", null);
        }
        return options.lacking(passed.pending(others)).sharing(PassedResults.shared(others, there, call, lane));
    }

    /** Whether the server may keep the result of a call of a lane: the caller can fetch it there, and no observer looks at it. */
    private static boolean mayStay(ClientCall call, CalledService service, ChainLane lane) {
        return call.onward() != OnwardResult.NONE
                && !call.isShown()
                && call.restored() == null
                && !(call.method().conduct().idempotent() // another replica would make it again
                        && (lane.isRelayed() || service.route(call.method()).hasChoice()))
                && call.observation() == null
                && ChainLane.canShare(lane.link())
                && !endpoint(lane, service.route(call.method())).isEmpty();
    }

    /** Reserves room as {@link #reserved(OutboundCall, ByteBuf)}, also for results that are fetched. */
    private static RequestOptions reserved(ClientCall call, ByteBuf frame, List<String> endpoints) {
        RequestOptions options = reserved(call, frame);
        PassedResults passed = call.order().passed();
        if (!passed.areNone()) {
            List<SharedLane> most = endpoints.stream()
                    .filter(endpoint -> !endpoint.isEmpty())
                    .map(endpoint -> new SharedLane(0, 0, endpoint))
                    .toList();
            RequestFrame.reserve(options.lacking(passed.most()).sharing(most), frame);
        }
        return options;
    }

    /**
     * Builds a frame of arguments that have been sent before. The caller keeps the arguments.
     *
     * @param flags of {@link RequestOptions}
     */
    static ByteBuf frame(OutboundCall call, CalledService service, Hop way, ByteBuf arguments, int flags) {
        Request request = call.request();
        int length = arguments.readableBytes();
        RequestOptions options =
                request.by(way, request.options(length), length).and(flags);
        long micros = call.deadlineAt() == 0 ? 0 : Math.max(1, call.remaining() / 1000);
        ByteBuf frame = new RequestHead(way.peer(), 0, service.number(call.method()), micros, options)
                .begin(way.link().connection().allocator(), length);
        frame.writeBytes(arguments, arguments.readerIndex(), length);
        Header.finish(frame);
        return frame;
    }

    /**
     * Builds a frame of encoded arguments, with room for options.
     *
     * @param arguments all but the results of earlier calls, for which it waits
     * @return null if they cannot be written; the call has ended then
     */
    static @Nullable ByteBuf frame(
            OutboundCall call, CalledService service, PassedResults passed, byte[] arguments, long remaining) {
        ByteBuf frame =
                PooledByteBufAllocator.DEFAULT.buffer(RequestFrame.ROOM + RequestHead.PLAIN_LENGTH + arguments.length);
        try {
            RequestFrame.begin(frame, service.number(call.method()));
            RequestFrame.deadline(frame, Math.max(1, remaining / 1000));
            PassedResults.Written written = passed.write(arguments, frame, service.codec());
            if (!written.blocks().isEmpty()) {
                call.request().isFollowedBy(RequestStream.inPlace(written.blocks()));
            }
            call.request().announces(Math.max(call.request().highestType(), written.highestType()));
            Header.finish(frame);
            return frame;
        } catch (Throwable e) { // a passed result does not fit, or failed: the program has that failure already
            frame.release();
            ErrorCode code = e instanceof RuntimeException known ? Failures.code(known) : ErrorCode.CANCELLED;
            call.fail(code, Execution.NOT_EXECUTED, String.valueOf(e.getMessage()), e);
            return null;
        }
    }

    /** Reserves room in front of the arguments for the options that do not depend on the way; returns them. */
    private static RequestOptions reserved(OutboundCall call, ByteBuf frame) {
        int arguments = frame.readableBytes() - RequestHead.PLAIN_LENGTH;
        RequestOptions options = call.request().options(arguments);
        if (options != RequestOptions.NONE) {
            RequestFrame.reserve(options, frame);
        }
        return call.isAwaitedFromBeginning() ? options.and(RequestOptions.AWAITED) : options;
    }

    /** Adds the lane of the thread to options, if it has one; else marks the call as movable if it can go elsewhere. */
    private static RequestOptions ordered(
            OutboundCall call, CalledService service, @Nullable Lane lane, RequestOptions options, int argumentBytes) {
        RequestOptions ordered = lane == null ? options : options.in(lane);
        if (lane != null && ordered.fit(argumentBytes)) {
            return ordered;
        }
        boolean hasElsewhereToGo = call.isAhead()
                || call.method().conduct().idempotent()
                || call.method().conduct().style() == Style.ONE_WAY
                || service.route(call.method()).hasChoice();
        return hasElsewhereToGo && !call.order().isInLane() && call.request().isWhole()
                ? options.and(RequestOptions.MOVABLE)
                : options;
    }

    /**
     * Finds a way whose link takes the call, first to the replica that has its references; links may close meanwhile.
     *
     * @param held the call, if it may wait in a line: then the way is null if it does
     */
    private static @Nullable Hop first(OutboundCall call, CalledService service, long patience, @Nullable Held held) {
        ServiceRoute route = service.route(call.method());
        boolean isAwaited =
                call.isAwaitedFromBeginning() || call.method().conduct().style() == Style.ONE_WAY;
        List<Object> departed = call.request().departed();
        Target place = departed.isEmpty() || !route.hasChoice() ? null : Stores.place(departed);
        Hop near = place == null ? null : route.near(place);
        if (near != null && call.journey().enter(call, near) > 0) {
            return near;
        }
        for (int i = 0; i < Attempts.MOST; i++) {
            Hop only = route.only();
            if (only != null && call.journey().enter(call, only) > 0) {
                return only;
            }
            ServiceRoute.Wish wish =
                    new ServiceRoute.Wish(held == null ? call.request().key() : held.key(), patience, isAwaited);
            Hop way = held == null ? route.first(wish) : route.firstOrHeld(wish, held);
            if (way == null) {
                return null;
            }
            if (call.journey().enter(call, way) > 0) {
                return way;
            }
        }
        throw new NoHopException(ErrorCode.CONNECTION_LOST, "connections close as soon as they are made", null);
    }

    private static void unsent(
            OutboundCall call, ByteBuf frame, ErrorCode code, RuntimeException why, @Nullable Throwable cause) {
        frame.release();
        Journey.Place here = call.journey().place();
        if (here != null) {
            boolean unused = here.leave();
        }
        call.fail(code, Execution.NOT_EXECUTED, String.valueOf(why.getMessage()), cause);
    }

    /** Writes and flushes the frame of a call, which it takes over, on a way that the call has entered. */
    static void write(OutboundCall call, CalledService service, Hop way, ByteBuf frame) {
        write(call, service, way, frame, true);
    }

    private static void write(OutboundCall call, CalledService service, Hop way, ByteBuf frame, boolean atOnce) {
        long number = call.journey().id();
        if (number <= 0 || call.journey().hop() != way) { // its link is gone, and the call goes another way
            frame.release();
            return;
        }
        Link link = way.link();
        Request request = call.request();
        RequestStream following = request.blocks();
        try {
            following.check(link);
            if (!request.departed().isEmpty()) {
                service.references().sent(link.tables(way.peer()), request.departed());
                request.areBooked(false);
            }
        } catch (WireException e) {
            unsent(call, frame, e.code(), e, e);
            return;
        }
        Header.readdress(frame, way.peer(), number);
        link.tables(0).announceMethods(service.number(call.method()));
        link.tables(0).announceTypes(request.highestType());
        if (way.isPulled()) {
            link.pull(service.name());
        }
        if (following != RequestStream.NONE) {
            following.send(way, number, () -> link.write(frame), call::isDone);
            following.sources().forEach(source -> source.onArrival(() -> arrived(call, source, following)));
            link.flush();
        } else if (atOnce) {
            link.write(frame);
            link.flush();
        } else {
            link.defer(frame, number, call.method().conduct().traffic().aggregate());
        }
    }

    /** Handles that an argument which was forwarded while it arrived is whole here, or has failed. */
    private static void arrived(OutboundCall call, StreamedValue source, RequestStream following) {
        ErrorCode code = source.failure();
        if (code == null) {
            return;
        }
        if (call.fail(code, Execution.MAYBE_EXECUTED, "argument: " + source.why(), null)) {
            call.withdraw();
        } else {
            following.failed(source);
        }
    }

    /** A call that waits until a replica has room; owns its frame while it does. */
    private static final class Held extends WaitingCall<Hop> {

        private final OutboundCall call;
        private final CalledService service;
        private final ByteBuf frame;
        private final RequestOptions options;

        /**
         * Prepares a call to wait.
         *
         * @param options of the call on every way
         * @param key what the policy knows of the call
         * @param byTime whether a call without a priority is ordered by its time, whether or not its caller is blocked on it
         */
        Held(
                OutboundCall call,
                CalledService service,
                ByteBuf frame,
                RequestOptions options,
                @Nullable Object key,
                boolean byTime) {
            super(frame.readableBytes(), key);
            this.call = call;
            this.service = service;
            this.frame = frame;
            this.options = options;
            Rating rating = call.request().rating();
            prefersBlocked(rating == null ? !byTime : rating.prefersBlocked());
            priority(rating == null ? 0 : rating.value());
            if (call.isAwaitedFromBeginning()) {
                awaited();
            }
        }

        @Override
        void waitsIn(Line where, Function<@Nullable Placement, Hop> found) {
            super.waitsIn(where, found);
            call.isHeld(this);
        }

        @Override
        void drop() {
            frame.release();
        }

        @Override
        void nodeCloses() {
            call.fail(ErrorCode.CANCELLED, Execution.NOT_EXECUTED, "not sent: the node is closing", null);
        }

        @Override
        void send(@Nullable Placement placed) {
            Hop way = null;
            try {
                if (call.isDone() || call.deadlineAt() != 0 && call.remaining() <= 0) {
                    throw new NoHopException(ErrorCode.DEADLINE, "not sent: its time is over", null);
                }
                if (call.deadlineAt() != 0) {
                    RequestFrame.deadline(frame, Math.max(1, call.remaining() / 1000));
                }
                way = way(placed);
                if (call.journey().enter(call, way) <= 0) {
                    way = requireNonNull(first(call, service, 0, null)); // the link has closed meanwhile
                }
                RequestOptions now = isAwaited() ? options.and(RequestOptions.AWAITED) : options;
                ship(call, service, way, frame, now, true);
            } catch (NoHopException e) {
                if (way == null && placed != null) {
                    placed.end();
                }
                unsent(call, frame, e.code(), e, e.getCause());
            } catch (Throwable e) { // an Error, too: the line goes on with the next call
                if (way == null && placed != null) {
                    placed.end();
                }
                call.fail(ErrorCode.INTERNAL, Execution.MAYBE_EXECUTED, "sent after a wait: " + e, e);
            }
        }
    }
}
