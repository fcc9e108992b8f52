package dev.cleave.broker.relay;

import dev.cleave.broker.registry.ServiceView;
import dev.cleave.call.ReceivedNumbers;
import dev.cleave.replica.Placement;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Peer;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.Begun;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Held;
import dev.cleave.wire.Lane;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Recall;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import dev.cleave.wire.Settled;
import dev.cleave.wire.Types;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The relayed calls of one connection, whose other side may be client, server or both. All methods are called on the
 * connection's event thread; frames stay the caller's.
 */
public final class RelaySession {

    private final Relay relay;
    private final Connection connection;
    private final ReadingGate gate;
    private final PeerNumbers numbers = new PeerNumbers();
    private final ReceivedNumbers requests = new ReceivedNumbers();
    private final ClientSide client;
    private final ServerSide server;
    private final RelayedLanes lanes;
    private final Holding holding;
    private final MovedCalls moved;
    private final RelayedBlocks blocks;
    private final ClientMemory memory;
    private final Forwarding forwarding;
    private final Set<Connection> toFlush = new LinkedHashSet<>();
    private boolean within; // a batch of frames
    private long batchNanos;

    RelaySession(Relay relay, Connection connection, ReadingGate gate, Peer peer) {
        this.relay = relay;
        this.connection = connection;
        this.gate = gate;
        server = new ServerSide(connection, gate, numbers, new ServerSide.Terms(relay.maxPending(), peer.features()));
        memory = new ClientMemory(relay.memories(), peer, connection);
        client = new ClientSide(
                connection, gate, numbers, server, memory, (call, replica) -> moved().sendOn(call, replica));
        lanes = new RelayedLanes(client);
        holding = new Holding(relay, this);
        moved = new MovedCalls(relay, this, client);
        forwarding = new Forwarding(relay, this, client, server, memory);
        blocks = new RelayedBlocks(client, server, toFlush::add);
    }

    ServerSide server() {
        return server;
    }

    /** Large values on their way. */
    public RelayedBlocks blocks() {
        return blocks;
    }

    /** Some frame has come: time spent at the broker begins. */
    public void onFrame() {
        if (!within) {
            within = true;
            batchNanos = relay.nanos();
        }
    }

    /** The client's METHODS. */
    public void onMethods(ByteBuf frame) {
        client.announced().add(Methods.read(frame.duplicate()));
    }

    /** TYPES: of the client, or of the server for one client. */
    public void onTypes(ByteBuf frame) {
        if (Header.peer(frame) == 0) {
            client.announced().add(Types.read(frame.duplicate()));
        } else {
            flushLater(server.onTypes(frame));
        }
    }

    /** The client's REQUEST; one that has come before is dropped. */
    public void onRequest(ByteBuf frame) {
        if (!requests.isFirst(Header.id(frame))) {
            return;
        }
        RequestHead sent = RequestHead.read(frame.duplicate());
        RequestHead request = forServer(sent, frame);
        String service = service(request);
        Lane lane = request.options().lane();
        ServerSide bound = lane == null ? null : lanes.server(lane);
        if (!isTaken(request, bound) || !hasTime(request, frame)) {
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

    /** The request as servers get it: without what only a broker needs. */
    private static RequestHead forServer(RequestHead sent, ByteBuf frame) {
        RequestOptions options = sent.options().forServer();
        if (options == sent.options()) {
            return sent;
        }
        RequestFrame.put(options, frame);
        return new RequestHead(sent.peer(), sent.id(), sent.method(), sent.deadlineMicros(), options);
    }

    /** Whether its lane goes on and there is room for it; otherwise it has been refused. */
    private boolean isTaken(RequestHead request, @Nullable ServerSide bound) {
        Lane lane = request.options().lane();
        if (lanes.isBroken(lane, bound)) {
            refuse(request, ErrorCode.CANCELLED, "not executed: its chain is not known at the broker (any more)");
            return false;
        }
        if (client.pending() >= relay.maxPending()) {
            lanes.breakOff(lane);
            refuse(
                    request,
                    ErrorCode.OVERLOAD,
                    "more than " + relay.maxPending() + " calls of this connection are in flight at the broker");
            return false;
        }
        return true;
    }

    /** Whether any of its time is left, in the frame without what has been spent here; otherwise it has been refused. */
    private boolean hasTime(RequestHead request, ByteBuf frame) {
        if (request.deadlineMicros() == 0) {
            return true;
        }
        long micros = request.deadlineMicros() - (relay.nanos() - batchNanos) / 1_000;
        if (micros <= 0) {
            lanes.breakOff(request.options().lane());
            refuse(request, ErrorCode.DEADLINE, "the deadline passed at the broker");
            return false;
        }
        RequestFrame.deadline(frame, micros);
        return true;
    }

    private void toBound(ServerSide bound, RequestHead request, ByteBuf frame) {
        if (!forwarding.isSentTo(bound, request, frame)) {
            lanes.breakOff(request.options().lane());
            refuse(request, ErrorCode.OVERLOAD, "the replica of its lane takes no more calls from the broker");
        }
    }

    private void toReplica(String service, RequestHead request, RequestOptions sent, ByteBuf frame) {
        ServiceView view = relay.view(service);
        Lane lane = sent.lane();
        Long earlier = sent.earlier();
        if (view == null) {
            refuse(request, ErrorCode.NO_REPLICA, "service " + service + " has no replica");
        } else if (earlier != null) {
            forwarding.toAnother(request, frame, view, earlier);
        } else if (lane != null && lane.isSticky()) {
            ServerSide taker = forwarding.forward(request, frame, view, view.pick(List.of(), sent.key()));
            if (taker != null) {
                lanes.opened(lane, taker);
            }
        } else {
            Placement room = holding.place(service, view, sent.key());
            if (room == null && !view.live().isEmpty()) {
                holding.hold(service, request, frame, sent.key());
            } else {
                ServerSide unused = forwarding.forward(request, frame, view, room);
            }
        }
    }

    /** Runs a task on the connection's event thread. */
    void execute(Runnable task) {
        connection.execute(task);
    }

    private MovedCalls moved() {
        return moved;
    }

    /** The calls of its client that wait at the broker. */
    Holding holding() {
        return holding;
    }

    /** The service that a request of its client is for. */
    String service(RequestHead request) {
        return client.announced().service(request.method());
    }

    /** Sends what has been written, unless a batch of frames will do so. */
    void flushOutsideBatch() {
        if (!within) {
            onReadComplete();
        }
    }

    /** The client's LANE_END. */
    public void onLaneEnd(ByteBuf frame) {
        LaneEnd end = LaneEnd.read(frame.duplicate());
        ServerSide to = lanes.end(end.id());
        if (to != null) {
            toFlush.add(to.connection());
        }
    }

    /** HELD: one of the two that know each other holds an object of the other. */
    public void onHeld(ByteBuf frame) {
        int number = Held.read(frame.duplicate()).peer();
        Pair asServer = server.named(number);
        if (asServer != null) {
            Header.readdress(frame, asServer.serverNumber(), 0);
            asServer.client().deliver(frame.retain(), server);
            toFlush.add(asServer.client().connection());
            return;
        }
        Pair asClient = client.named(number);
        if (asClient != null) {
            Header.readdress(frame, asClient.clientNumber(), 0);
            asClient.server().connection().write(frame.retain());
            toFlush.add(asClient.server().connection());
        }
    }

    /** The client's AWAITED: each of the servers is told of the calls that it has. */
    public void onAwaited(ByteBuf frame) {
        toFlush.addAll(client.onAwaited(Awaited.read(frame.duplicate())));
    }

    /** The client's CANCEL. */
    public void onCancel(ByteBuf frame) {
        if (holding.cancel(Header.id(frame))) {
            return;
        }
        Connection to = client.onCancel(Cancel.read(frame.duplicate()));
        if (to != null) {
            toFlush.add(to);
        }
    }

    /** The server's BEGUN: it has room for more. */
    public void onBegun(ByteBuf frame) {
        server.onBegun(Begun.read(frame.duplicate()));
    }

    /** The server's REPLY or FAILURE. */
    public void onAnswer(ByteBuf frame) {
        if (Header.peer(frame) == 0) {
            throw new WireException(ErrorCode.PROTOCOL, Header.kind(frame) + " without peer (expected: 1..65535)");
        }
        flushLater(server.onAnswer(frame));
    }

    /** The client's SETTLED. */
    public void onSettled(ByteBuf frame) {
        memory.onSettled(Settled.read(frame.duplicate()));
    }

    /** The client's RECALL. */
    public void onRecall(ByteBuf frame) {
        memory.onRecall(Recall.read(frame.duplicate()), numbers);
    }

    /** The server's MOVED. */
    public void onMoved(ByteBuf frame) {
        server.onMoved(frame);
    }

    /** Writes an answer of the broker itself, which it takes over; reads no more while they pile up. */
    public void answer(ByteBuf frame) {
        connection.write(frame);
        toFlush.add(connection);
        if (!connection.isWritable()) {
            gate.hold(this);
            if (connection.isWritable()) {
                gate.release(this);
            }
        }
    }

    /** The batch of frames has ended: sends what it led to. */
    public void onReadComplete() {
        within = false;
        List<Connection> flushed = List.copyOf(toFlush);
        toFlush.clear();
        flushed.forEach(Connection::flush);
    }

    /** What was written has drained. */
    public void onWritable() {
        gate.release(this);
        client.onWritable();
        server.onWritable();
    }

    /** Says whether a server is not read from because clients do not read its answers: its silence is not its own. */
    public boolean waitsForClients() {
        return gate.isHeldBy(ClientSide.class);
    }

    /** The connection is gone. */
    public void onClose() {
        relay.leave(this);
        memory.closed();
        relay.dropHeld(this);
        server.close();
        client.close();
        lanes.close();
        onReadComplete();
    }

    boolean isEmpty() {
        return client.isEmpty() && server.isEmpty() && lanes.isEmpty();
    }

    /** Names the stall in which servers wait for this client to read; -1 if they do not. */
    long stall() {
        return client.stall();
    }

    /** Ends a connection whose other side does not read, so that servers wait for it. */
    void endStalled() {
        String text = "answers were not read for " + Relay.STALL_LIMIT.toSeconds() + " s while others waited"
                + " (expected: a client that reads, or fewer calls in flight)";
        connection.write(new GoAway(ErrorCode.OVERLOAD, text).write(connection.allocator()));
        connection.close();
    }

    void refuse(RequestHead request, ErrorCode code, String why) {
        memory.notExecuted(request.id());
        answer(new Failure(0, request.id(), code, Execution.NOT, why).write(connection.allocator()));
    }

    /** What has been written there is sent at the end of the batch. */
    void flushLater(Connection written) {
        toFlush.add(written);
    }

    /** Sends the requests of its client on. */
    Forwarding forwarding() {
        return forwarding;
    }

    private void flushLater(@Nullable ClientSide receiver) {
        if (receiver != null) {
            toFlush.add(receiver.connection());
        }
    }
}
