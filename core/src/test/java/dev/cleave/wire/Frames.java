package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** One example of every frame, and the reader of every kind. */
final class Frames {

    static final Load LOAD = new Load(3, 250, 2, 4);

    static final List<Frame> EXAMPLES = List.of(
            new Hello(1, 3, 0x8000_0000_0000_0001L, "harvey", -2),
            new Datagrams(-1, 0xffff),
            new Resent(1L << 40),
            new RequestHead(7, -1, 12, 30_000_000),
            new RequestHead(7, -1, 12, 30_000_000, RequestOptions.of(RequestOptions.FLAGS)),
            new RequestHead(7, -1, Integer.MAX_VALUE, 0, allOptions()),
            new Reply(0xffff, 42),
            new Failure(0, 42, ErrorCode.DEADLINE, Execution.MAYBE, "späť"),
            new Chunk(7, 42, true, false),
            new Chunk(7, 42, false, true, Chunk.PLACES),
            new Credit(7, 42, true, 1 << 20),
            new Cancel(7, 42),
            new CallerGone(7, 43),
            new Ping(9),
            new Pong(9, LOAD),
            new Methods(7, List.of(new Methods.Method(0, "compare", "score(Ljava/lang/String;[B)I"))),
            new Types(7, 5, List.of("java.util.ArrayList", "a.B$C")),
            new RegisterReplica(
                    1,
                    "compare",
                    "harvey",
                    17,
                    List.of("tcp://localhost:4242"),
                    "dev.cleave.examples.Compare",
                    List.of("score(I)I", "reset()V"),
                    60_000),
            new Registered(1, 60_000),
            new Unregister(2, "compare", "harvey"),
            new Lease(3, 60_000),
            new Lookup(4, "compare"),
            new Watch(5, ""),
            new Watch(5, "compare", true),
            new Replicas(
                    5,
                    "compare",
                    8,
                    Route.RELAY,
                    List.of(
                            new Replicas.Replica("harvey", 17, ReplicaState.UP, List.of()),
                            new Replicas.Replica(
                                    "bugs", 18, ReplicaState.DRAINING, List.of("tcp://a:1", "tcp://b:2")))),
            new ListServices(6),
            new Services(
                    6,
                    List.of(new Services.Service(
                            "compare",
                            "dev.cleave.examples.Compare",
                            Route.DIRECT,
                            List.of(new Services.Replica(
                                    "harvey", "tcp://localhost:1", ReplicaState.SUSPECT, LOAD, 59_000, "127.0.0.1"))))),
            GoAway.leaving("the server leaves"),
            new GoAway(ErrorCode.VERSION, "this side speaks 1..1, the other 2..3"),
            new PeerGone(7),
            new Held(7, -1, 1L << 63, -3),
            new PeerOf(7, 9, "harvey", -2),
            new LaneEnd(7, 42),
            new LaneShare(0, 42, -1, 7),
            new Same(7, false, List.of(new Same.Entry(3, new Same.Contents(1, -2, 3, -4)))),
            new LaneOf(7, 9, -1, 7),
            new Welcome("b-1", true, true, List.of(new Welcome.Broker("b-2", "tcp://localhost:7", 1L << 40, -1))),
            new Reload(8, "{services: {}}"),
            new Reloaded(8, List.of("broker: applied", "harvey: applied")),
            new Challenge(-1, 7),
            new Proof("e30.e30.c2ln", "c2ln"),
            new Awaited(7, List.of(1L, -2L, 1L << 40)),
            new Pull("compare"),
            new Begun(7, List.of(1L, 1L << 40)),
            new LoadWatch("compare", List.of(0, 1, 10)),
            new Loaded("compare", 12, 1, 1L << 40),
            new CallClaim(1L << 40, "compare", "bugs", 3, 1, 2),
            new CallClaim(1L << 40, "compare", "bugs", 3, 1, 2, 1L << 41),
            new CallGrant(1L << 40, "compare", "bugs", 4, 5, 1),
            new Forward("harvey", 1L << 41, new LoadWatch("compare", List.of(0, 1, 10))),
            new Forward("harvey", 1L << 41, new Loaded("compare", 12, 1, 1L << 40)),
            new Forward("harvey", 1L << 41, new CallClaim(9, "compare", "bugs", 3, 1, 2, 1L << 41)),
            new Forward("harvey", 1L << 41, new CallGrant(9, "compare", "bugs", 4, 5, 1)),
            new LoadAsk("compare", true),
            new LoadAsk("compare", false),
            new Loads("compare", 1L << 41, List.of(new Loads.Replica("harvey", LOAD, 2))),
            new Moved(7, -1, "bugs"),
            new Settled(1L << 40, new ConnectionName(-5, 1L << 41)),
            new Replicas(4, "compare", 12, Route.DIRECT, List.of(), true),
            new Recall(3, new ConnectionName(-5, 7), 1L << 40),
            new Suspected(List.of(1L, -2L, 1L << 40)),
            new Drain(-1, "harvey"),
            new Unwatch("compare"),
            new Caller(7, "späte Kasse"),
            new Checked());

    static final Map<FrameKind, Function<ByteBuf, Frame>> READERS = Map.ofEntries(
            Map.entry(FrameKind.UNWATCH, Unwatch::read),
            Map.entry(FrameKind.CALLER, Caller::read),
            Map.entry(FrameKind.CHECKED, Checked::read),
            Map.entry(FrameKind.PULL, Pull::read),
            Map.entry(FrameKind.BEGUN, Begun::read),
            Map.entry(FrameKind.HELLO, Hello::read),
            Map.entry(FrameKind.DATAGRAMS, Datagrams::read),
            Map.entry(FrameKind.RESENT, Resent::read),
            Map.entry(FrameKind.REQUEST, RequestHead::read),
            Map.entry(FrameKind.REPLY, Reply::read),
            Map.entry(FrameKind.FAILURE, Failure::read),
            Map.entry(FrameKind.CHUNK, Chunk::read),
            Map.entry(FrameKind.CREDIT, Credit::read),
            Map.entry(FrameKind.CANCEL, Cancel::read),
            Map.entry(FrameKind.CALLER_GONE, CallerGone::read),
            Map.entry(FrameKind.PING, Ping::read),
            Map.entry(FrameKind.PONG, Pong::read),
            Map.entry(FrameKind.METHODS, Methods::read),
            Map.entry(FrameKind.TYPES, Types::read),
            Map.entry(FrameKind.REGISTER, RegisterReplica::read),
            Map.entry(FrameKind.REGISTERED, Registered::read),
            Map.entry(FrameKind.UNREGISTER, Unregister::read),
            Map.entry(FrameKind.LEASE, Lease::read),
            Map.entry(FrameKind.LOOKUP, Lookup::read),
            Map.entry(FrameKind.WATCH, Watch::read),
            Map.entry(FrameKind.REPLICAS, Replicas::read),
            Map.entry(FrameKind.LIST, ListServices::read),
            Map.entry(FrameKind.SERVICES, Services::read),
            Map.entry(FrameKind.GOAWAY, GoAway::read),
            Map.entry(FrameKind.PEER_GONE, PeerGone::read),
            Map.entry(FrameKind.HELD, Held::read),
            Map.entry(FrameKind.PEER_OF, PeerOf::read),
            Map.entry(FrameKind.LANE_END, LaneEnd::read),
            Map.entry(FrameKind.LANE_SHARE, LaneShare::read),
            Map.entry(FrameKind.SAME, Same::read),
            Map.entry(FrameKind.LANE_OF, LaneOf::read),
            Map.entry(FrameKind.WELCOME, Welcome::read),
            Map.entry(FrameKind.RELOAD, Reload::read),
            Map.entry(FrameKind.RELOADED, Reloaded::read),
            Map.entry(FrameKind.CHALLENGE, Challenge::read),
            Map.entry(FrameKind.PROOF, Proof::read),
            Map.entry(FrameKind.AWAITED, Awaited::read),
            Map.entry(FrameKind.LOAD_WATCH, LoadWatch::read),
            Map.entry(FrameKind.LOADED, Loaded::read),
            Map.entry(FrameKind.CALL_CLAIM, CallClaim::read),
            Map.entry(FrameKind.CALL_GRANT, CallGrant::read),
            Map.entry(FrameKind.FORWARD, Forward::read),
            Map.entry(FrameKind.LOAD_ASK, LoadAsk::read),
            Map.entry(FrameKind.LOADS, Loads::read),
            Map.entry(FrameKind.MOVED, Moved::read),
            Map.entry(FrameKind.SETTLED, Settled::read),
            Map.entry(FrameKind.RECALL, Recall::read),
            Map.entry(FrameKind.SUSPECTED, Suspected::read),
            Map.entry(FrameKind.DRAIN, Drain::read));

    /** Options of each sort. */
    static RequestOptions allOptions() {
        return RequestOptions.of(RequestOptions.AWAITED)
                .in(new Lane(-9, Lane.Kind.DEPENDENT, true))
                .behind(CallPath.of(new long[] {1, -2, 1L << 40}))
                .lacking(List.of(new PendingArgument(3, 0, 0), new PendingArgument(0, 0, 0)))
                .followedBy(List.of(new Blocks('D', 64 << 20), new Blocks('O', 1L << 29, Blocks.MOST_GROUPS)))
                .keyed(-5)
                .elsewhereThan(1L << 41)
                .with(Attachments.of(Map.of("traceparent", "00-1-2-01")));
    }

    private Frames() {}

    static Frame read(ByteBuf frame) {
        return READERS.get(Header.kind(frame)).apply(frame);
    }
}
