package dev.cleave.broker.relay;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.ServiceView;
import dev.cleave.call.ConnectionMemory;
import dev.cleave.call.FrameTable;
import dev.cleave.call.LaneResults;
import dev.cleave.call.LinkCore;
import dev.cleave.call.RightsGuard;
import dev.cleave.ref.References;
import dev.cleave.replica.Placement;
import dev.cleave.transport.Connection;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.Begun;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.Credit;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Frame;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Held;
import dev.cleave.wire.Lane;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.LaneOf;
import dev.cleave.wire.LaneShare;
import dev.cleave.wire.Load;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Moved;
import dev.cleave.wire.PeerOf;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.Recall;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import dev.cleave.wire.Settled;
import dev.cleave.wire.Types;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The relayed calls of one connection, whose other side may be client, server or both. All methods are called on the
 * connection's event thread; the caller keeps the frames.
 */
public final class RelaySession implements Relay.Member {

    /** The handlers of frames for the relay. */
    public static final FrameTable<RelaySession> FRAMES = FrameTable.<RelaySession>of("a relay")
            .on(FrameKind.REQUEST, RelaySession::onRequest)
            .on(FrameKind.REPLY, RelaySession::onAnswer)
            .on(FrameKind.FAILURE, RelaySession::onAnswer)
            .on(FrameKind.CHUNK, RelaySession::onChunk)
            .on(FrameKind.CREDIT, RelaySession::onCredit)
            .on(FrameKind.CANCEL, Cancel::read, RelaySession::onCancel)
            .on(FrameKind.LANE_END, LaneEnd::read, (it, said) -> it.batch.add(it.lanes.end(said.id())))
            .on(FrameKind.LANE_SHARE, LaneShare::read, (it, said) -> it.batch.add(it.lanes.share(said)))
            .on(FrameKind.LANE_OF, LaneOf::read, RelaySession::onLaneOf)
            .on(FrameKind.AWAITED, Awaited::read, RelaySession::onAwaited)
            .on(FrameKind.BEGUN, Begun::read, (it, said) -> it.server.onBegun(said))
            .on(FrameKind.METHODS, Methods::read, (it, said) -> it.client
                    .announced()
                    .add(said))
            .on(FrameKind.TYPES, RelaySession::onTypes)
            .on(FrameKind.HELD, RelaySession::onHeld)
            .on(FrameKind.MOVED, Moved::read, (it, said) -> it.server.onMoved(said))
            .on(FrameKind.SETTLED, Settled::read, (it, said) -> it.memory.settled(said))
            .on(FrameKind.RECALL, Recall::read, RelaySession::onRecall)
            .on(FrameKind.PEER_OF, PeerOf::read, RelaySession::onPeerOf)
            .on(FrameKind.PING, Ping::read, RelaySession::onPing)
            .build();

    private static final String RESULTS = LaneResults.SERVICE + '\n';

    private final Relay relay;
    private final LinkCore<?> core;
    private final Connection connection;
    private final BackPressure pressure;
    private final Party party;
    private final PeerNumbers numbers = new PeerNumbers();
    private final FlushBatch batch;
    private final ClientSide client;
    private final ServerSide server;
    private final RelayedLanes lanes;
    private final Forwarding forwarding;
    private final Holding holding;
    private final ConnectionMemory memory;

    /**
     * Takes a connection into a relay.
     *
     * @param party the party that offers replicas over it
     * @param pressure stops reading from it
     */
    public RelaySession(Relay relay, Party party, LinkCore<?> core, BackPressure pressure) {
        this.relay = relay;
        this.core = core;
        connection = core.connection();
        this.pressure = pressure;
        this.party = party;
        batch = new FlushBatch(relay::nanos);
        memory = new ConnectionMemory(relay.memories(), core.peer(), connection);
        server = new ServerSide(core, pressure, numbers, relay.maxPending());
        client = new ClientSide(core, pressure, numbers, server, memory);
        lanes = new RelayedLanes(client, relay.sharedLanes());
        forwarding = new Forwarding(relay, client, server, batch);
        holding = new Holding(relay, client, forwarding, batch);
        client.onMoved(forwarding::resend);
        relay.names().enter(core.peer());
        relay.joined(party, this);
    }

    @Override
    public ServerSide server() {
        return server;
    }

    /** Starts the measurement of the time that a request spends at the broker. */
    public void onFrame() {
        batch.onFrame();
    }

    private void onRequest(ByteBuf frame) {
        RequestHead sent = RequestHead.read(frame.duplicate());
        RequestHead request = forServer(sent, frame);
        String service = forwarding.service(request);
        Lane lane = request.options().lane();
        Pair.Server bound = lane == null ? null : lanes.server(lane);
        if (!isAllowed(request) || !isTaken(request, bound) || !hasTime(request, frame)) {
            return;
        }
        if (bound != null) {
            toBound(bound, request, frame);
        } else if (request.peer() != 0) {
            forwarding.callBack(request, frame);
        } else {
            toReplica(service, request, sent.options(), frame);
        }
    }

    /** Returns the request for servers: without the options for the broker. */
    private static RequestHead forServer(RequestHead sent, ByteBuf frame) {
        RequestOptions options = sent.options().forServer();
        if (options == sent.options()) {
            return sent;
        }
        RequestFrame.put(options, frame);
        return new RequestHead(sent.peer(), sent.id(), sent.method(), sent.deadlineMicros(), options);
    }

    /** Whether the client may call the method, of a service or of any object; otherwise the request has been refused. */
    private boolean isAllowed(RequestHead request) {
        RightsGuard guard = relay.guard();
        if (guard.isOpen()) {
            return true;
        }
        String name = client.announced().name(request.method());
        boolean isChecked = name.startsWith(References.MARK) || name.startsWith(RESULTS);
        if (request.peer() != 0 && isChecked) { // by the node that has the object, or the results
            return true;
        }
        String identity = client.announced().identity();
        if (guard.mayCall(identity, name)) {
            return true;
        }
        lanes.breakOff(request.options().lane());
        forwarding.refuse(request, ErrorCode.DENIED, RightsGuard.refusal(identity, "call " + name.replace('\n', '.')));
        return false;
    }

    /** Whether its lane is open and has room; otherwise the request has been refused. */
    private boolean isTaken(RequestHead request, Pair.@Nullable Server bound) {
        Lane lane = request.options().lane();
        if (lanes.isBroken(lane, bound)) {
            forwarding.refuse(
                    request, ErrorCode.CANCELLED, "not executed: its chain is not known at the broker (any more)");
            return false;
        }
        if (relay.isLeaving() && request.peer() == 0) {
            lanes.breakOff(lane);
            forwarding.refuse(request, ErrorCode.OVERLOAD, "the broker leaves");
            return false;
        }
        if (client.pending() >= relay.maxPending()) {
            lanes.breakOff(lane);
            forwarding.refuse(
                    request,
                    ErrorCode.OVERLOAD,
                    "more than " + relay.maxPending() + " calls of this connection are in flight at the broker");
            return false;
        }
        return true;
    }

    /** Takes the time spent at the broker off its deadline; false if none is left, and it has been refused. */
    private boolean hasTime(RequestHead request, ByteBuf frame) {
        if (request.deadlineMicros() == 0) {
            return true;
        }
        long micros = request.deadlineMicros() - batch.ageNanos() / 1_000;
        if (micros <= 0) {
            lanes.breakOff(request.options().lane());
            forwarding.refuse(request, ErrorCode.DEADLINE, "the deadline passed at the broker");
            return false;
        }
        RequestFrame.deadline(frame, micros);
        return true;
    }

    private void toBound(Pair.Server bound, RequestHead request, ByteBuf frame) {
        if (!forwarding.isSentTo(bound, request, frame)) {
            lanes.breakOff(request.options().lane());
            forwarding.refuse(
                    request, ErrorCode.OVERLOAD, "the replica of its lane takes no more calls from the broker");
        }
    }

    private void toReplica(String service, RequestHead request, RequestOptions sent, ByteBuf frame) {
        ServiceView view = relay.view(service);
        Lane lane = sent.lane();
        Long earlier = sent.earlier();
        if (lane == null && earlier == null && forwarding.awaitsReplica(service, view)) {
            holding.hold(service, request, frame, sent.key(), view);
        } else if (view == null) {
            forwarding.refuseUnserved(request, service, null);
        } else if (earlier != null) {
            forwarding.toAnother(request, frame, view, earlier);
        } else if (lane != null && lane.isSticky()) {
            ServerSide taker = forwarding.forward(request, frame, view, view.pick(List.of(), sent.key()), 0);
            if (taker != null) {
                lanes.opened(lane, taker);
            }
        } else {
            if (lane == null
                    && view.isSpread()
                    && !relay.holds(service)
                    && forwarding.isSentElsewhere(request, service, view)) {
                return;
            }
            Object key = holding.work(view, request, frame, sent.key());
            Placement room = holding.place(service, view, key);
            if (room == null && !view.live().isEmpty()) {
                holding.hold(service, request, frame, key, view);
            } else {
                ServerSide unused = forwarding.forward(request, frame, view, room, 0);
            }
        }
    }

    private void onAwaited(Awaited awaited) {
        holding.promote(awaited);
        client.onAwaited(awaited).forEach(batch::add);
    }

    private void onTypes(ByteBuf frame) {
        if (Header.peer(frame) == 0) {
            client.announced().add(Types.read(frame.duplicate()));
        } else {
            batch.add(server.onTypes(frame));
        }
    }

    /** Handles HELD: a client or server of a pair holds an object of the other. */
    private void onHeld(ByteBuf frame) {
        int number = Held.read(frame.duplicate()).peer();
        Pair asServer = server.named(number);
        if (asServer != null) {
            Header.readdress(frame, asServer.serverNumber(), 0);
            asServer.client().deliver(frame.retain(), server);
            batch.add(asServer.client().connection());
            return;
        }
        Pair asClient = client.named(number);
        if (asClient != null) {
            Header.readdress(frame, asClient.clientNumber(), 0);
            asClient.server().deliver(frame.retain(), client);
            batch.add(asClient.server().connection());
        }
    }

    /** Handles PEER_OF: introduces the client to a node, so that it can call objects there. */
    private void onPeerOf(PeerOf said) {
        Relay.Member member = relay.member(said.node(), said.incarnation());
        Pair pair = member == null || member == this ? null : client.pair(member.server());
        answer(
                pair == null
                        ? unknown(said.id(), "node " + said.node() + " is not connected to the broker")
                        : new PeerOf(pair.serverNumber(), said.id(), said.node(), said.incarnation()));
    }

    /** Handles LANE_OF: introduces a server to the one that runs the calls of a lane. */
    private void onLaneOf(LaneOf said) {
        Pair.Server runs = relay.sharedLanes().server(said.high(), said.low());
        Pair pair = runs == null || runs == server ? null : client.pair(runs);
        answer(
                pair == null && runs != server
                        ? unknown(said.id(), "no lane of this key is relayed here")
                        : new LaneOf(pair == null ? 0 : pair.serverNumber(), said.id(), said.high(), said.low()));
    }

    private static Failure unknown(long id, String why) {
        return new Failure(0, id, ErrorCode.CONNECTION_LOST, Execution.NOT, why);
    }

    private void answer(Frame frame) {
        connection.write(frame.write(connection.allocator()));
        pressure.answered();
        batch.add(connection);
    }

    @Override
    public boolean is(String node, long incarnation) {
        return core.peer().node().equals(node)
                && core.peer().incarnation() == incarnation
                && relay.names().belong(core.peer());
    }

    private void onCancel(Cancel cancel) {
        if (!holding.cancel(cancel.id())) {
            batch.add(client.onCancel(cancel.id()));
        }
    }

    /** Handles REPLY or FAILURE of the server. */
    private void onAnswer(ByteBuf frame) {
        if (Header.peer(frame) == 0) {
            throw new WireException(ErrorCode.PROTOCOL, Header.kind(frame) + " without peer (expected: 1..65535)");
        }
        batch.add(server.onAnswer(frame));
    }

    /**
     * Forwards a part of a large value. The broker keeps none: the two ends have granted each other what is on its way.
     */
    private void onChunk(ByteBuf frame) {
        Chunk chunk = Chunk.read(frame.duplicate());
        batch.add(chunk.isOfReply() ? server.onChunk(frame, chunk.isLast()) : client.onPart(frame));
    }

    private void onCredit(ByteBuf frame) {
        batch.add(Credit.read(frame.duplicate()).isOfReply() ? client.onPart(frame) : server.onCredit(frame));
    }

    private void onRecall(Recall said) {
        memory.recall(said, new RecalledCall(connection, numbers, said.id()));
        pressure.answered();
    }

    private void onPing(Ping said) {
        connection.write(new Pong(said.id(), Load.NONE).write(connection.allocator()));
        pressure.answered();
        batch.add(connection);
    }

    /** Flushes what the frames of one read led to. */
    public void onReadComplete() {
        batch.end();
    }

    /** Handles that what was written has drained. */
    public void onWritable() {
        client.onWritable();
        server.onWritable();
    }

    /** Whether a server is not read from because clients do not read its answers: then it is not silent. */
    public boolean waitsForClients() {
        return pressure.isHeldBy(ClientSide.class);
    }

    /** Handles the end of the connection. */
    public void onClose() {
        relay.left(party);
        memory.closed();
        holding.close();
        server.close();
        client.close();
        lanes.close();
        batch.end();
    }

    @Override
    public boolean isEmpty() {
        return client.isEmpty() && server.isEmpty() && lanes.isEmpty();
    }

    /** Whether the node makes relayed calls, or none, and serves none. */
    public boolean isOfClient() {
        return server.isEmpty();
    }

    @Override
    public boolean hasCalls() {
        return client.pending() > 0;
    }

    @Override
    public int pending() {
        return client.pending();
    }

    @Override
    public long stall() {
        return client.stall();
    }

    @Override
    public void endStalled(Duration limit) {
        core.refuse(
                ErrorCode.OVERLOAD,
                "answers were not read for " + limit.toSeconds() + " s while others waited"
                        + " (expected: a client that reads, or fewer calls in flight)");
    }
}
