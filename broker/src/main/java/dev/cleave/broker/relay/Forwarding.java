package dev.cleave.broker.relay;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.ServiceView;
import dev.cleave.replica.Placement;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Forwards the requests of one client: to a replica that takes them, to another replica when the first has given them
 * away, or to the node that has the object. Event thread only.
 */
final class Forwarding {

    private final Relay relay;
    private final ClientSide client;
    private final ServerSide server;
    private final FlushBatch batch;

    /** Creates the forwarding of a client, whose connection has {@code server} as its server side. */
    Forwarding(Relay relay, ClientSide client, ServerSide server, FlushBatch batch) {
        this.relay = relay;
        this.client = client;
        this.server = server;
        this.batch = batch;
    }

    /** Tells the client that a request was not executed. */
    void refuse(RequestHead request, ErrorCode code, String why) {
        client.refuse(request.id(), code, why);
        batch.add(client.connection());
    }

    /** Returns the service that a request is for. */
    String service(RequestHead request) {
        return client.announced().service(request.method());
    }

    /**
     * Sends a call to the next replica. Replicas whose connections are full come last, the one that took a call most
     * recently first; such a replica stops reading from the client. Returns the replica that took it, null if it was
     * refused.
     *
     * @param room its place at the first replica, null if any will do
     * @param moves how often the call has moved
     */
    @Nullable
    ServerSide forward(RequestHead request, ByteBuf frame, ServiceView view, @Nullable Placement room, int moves) {
        KeptRequest kept = relay.keep(view, request, frame, moves);
        if (moves == 0) { // servers count calls that have moved between them
            RequestFrame.notMoved(frame);
        }
        if (kept == null) {
            RequestFrame.movable(frame, false);
        }
        ServerSide taker = forward(new Outbound(request, frame, kept), view, room);
        if (taker == null && kept != null) {
            kept.release();
        }
        return taker;
    }

    /**
     * A request on its way out.
     *
     * @param kept the kept request, from which it can be sent again; null if it may not move
     */
    private record Outbound(
            RequestHead request, ByteBuf frame, @Nullable KeptRequest kept) {}

    private @Nullable ServerSide forward(Outbound call, ServiceView view, @Nullable Placement room) {
        List<Party> passed = new ArrayList<>();
        List<Placement> full = new ArrayList<>();
        Placement placed = room != null ? room : view.pick(passed, null);
        while (placed != null) {
            Party party = view.party(placed);
            ServerSide to = relay.server(party);
            if (to != null && !to.connection().isWritable()) {
                full.add(placed);
            } else if (to != null && isSent(call, to, placed)) {
                full.forEach(Placement::end);
                client.took(to);
                return to;
            } else {
                placed.end();
            }
            passed.add(party);
            placed = view.pick(passed, null);
        }
        ServerSide taker = sendToFull(call, view, full);
        if (taker != null) {
            return taker;
        }
        String service = view.replicas().service();
        if (passed.isEmpty()) {
            refuseUnserved(call.request, service, view);
        } else {
            refuse(
                    call.request,
                    ErrorCode.OVERLOAD,
                    "no replica of service " + service + " takes more calls from the broker");
        }
        return null;
    }

    /**
     * Whether a call of a service waits here for a replica: none is connected to any broker, and one probably will be soon, or
     * is already.
     *
     * @param view the service, as the call has found it
     */
    boolean awaitsReplica(String service, @Nullable ServiceView view) {
        boolean isUnserved = view == null || view.live().isEmpty() && !view.isServedElsewhere();
        return isUnserved
                && (relay.isExpected(service) || relay.view(service) != view); // in this order: it may have come
    }

    /**
     * Refuses a call of a service of which no live replica is connected here. If some are connected to other brokers, or will
     * be, or this broker does not know that yet, its client sends the call again: to one of those.
     */
    void refuseUnserved(RequestHead request, String service, @Nullable ServiceView view) {
        boolean isServed = view != null && view.isServedElsewhere();
        if (isServed || awaitsReplica(service, view) || !relay.knowsAll()) {
            refuse(
                    request,
                    ErrorCode.CONNECTION_LOST,
                    "no replica of service " + service + " is connected to this broker of the cluster");
        } else {
            refuse(
                    request,
                    ErrorCode.NO_REPLICA,
                    "service " + service + (view == null ? " has no replica" : " has no live replica"));
        }
    }

    /**
     * Lets the client send a call again, to a replica that is connected to another broker, if no replica here has room for it and
     * that one has, as its broker tells. A call goes elsewhere once at most.
     *
     * @return whether it does; else it is still here
     */
    boolean isSentElsewhere(RequestHead request, String service, ServiceView view) {
        RequestOptions options = request.options();
        if (view.live().isEmpty()
                || !view.isSpread()
                || !options.isMovable()
                || options.hasMoved()
                || !client.goesElsewhere()
                || view.hasRoom()) {
            return false;
        }
        String replica = relay.takeFarRoom(service);
        if (replica == null) {
            return false;
        }
        client.sendElsewhere(request.id(), replica);
        batch.add(client.connection());
        return true;
    }

    /** Sends a call to a replica whose connection is full. */
    private @Nullable ServerSide sendToFull(Outbound call, ServiceView view, List<Placement> full) {
        record Full(ServerSide side, Placement placement) {}
        List<Full> sides = new ArrayList<>();
        for (Placement placement : full) {
            ServerSide side = relay.server(view.party(placement));
            if (side != null) {
                sides.add(new Full(side, placement));
            }
        }
        sides.sort(Comparator.comparingLong((Full each) -> client.lastTook(each.side()))
                .reversed());
        ServerSide taker = null;
        for (Full each : sides) {
            if (taker == null && isSent(call, each.side(), each.placement())) {
                taker = each.side();
            } else {
                each.placement().end();
            }
        }
        if (taker != null) {
            ServerSide last = taker;
            ServerSide.holdForAny(
                    sides.stream()
                            .map(Full::side)
                            .filter(side -> side == last || client.lastTook(side) > 0)
                            .toList(),
                    client);
        }
        return taker;
    }

    /** Sends a call to another replica than an earlier one of the client, which takes long: at once or not at all. */
    void toAnother(RequestHead request, ByteBuf frame, ServiceView view, long earlier) {
        RequestFrame.movable(frame, false);
        Pair.Server slow = client.serverOf(earlier);
        List<Party> except = view.parties().values().stream()
                .filter(party -> relay.server(party) == slow)
                .toList();
        Placement placed = slow == null ? null : view.pick(except, null);
        ServerSide to = placed == null ? null : relay.server(view.party(placed));
        if (placed != null
                && to != null
                && to.connection().isWritable()
                && isSent(new Outbound(request, frame, null), to, placed)) {
            return;
        }
        if (placed != null) {
            placed.end();
        }
        refuse(request, ErrorCode.OVERLOAD, "no other replica takes the call at once");
    }

    /** Sends a call to the node that has a number on this connection: to an object of its, not to a service. */
    void callBack(RequestHead request, ByteBuf frame) {
        Pair asServer = server.named(request.peer());
        Pair asClient = client.named(request.peer());
        if (asServer == null && asClient == null) {
            refuse(request, ErrorCode.CONNECTION_LOST, "the node that has the object is gone");
            return;
        }
        Pair.Server to = asServer != null
                ? asServer.client().same()
                : requireNonNull(asClient).server();
        RequestFrame.movable(frame, false);
        if (!isSentTo(to, request, frame)) {
            refuse(request, ErrorCode.OVERLOAD, "the node that has the object takes no more calls from the broker");
        }
    }

    /**
     * Sends a call to this server and no other, which the client waits for if need be; false if it takes no more calls.
     */
    boolean isSentTo(Pair.Server bound, RequestHead request, ByteBuf frame) {
        if (!isSent(new Outbound(request, frame, null), bound, null)) {
            return false;
        }
        if (!bound.connection().isWritable()) {
            bound.hold(client);
        }
        return true;
    }

    private boolean isSent(Outbound out, Pair.Server to, @Nullable Placement placement) {
        Pair pair = client.memory().begins(out.request.id()) ? client.pair(to) : null;
        Pair.Call call = pair == null ? null : to.begin(pair, out.request.id(), placement, out.kept);
        if (call == null) {
            return false;
        }
        client.announced().replay(call.pair());
        if (placement != null && placement.isPulled()) {
            to.pull(service(out.request));
        }
        Header.readdress(out.frame, call.pair().clientNumber(), call.serverId());
        to.connection().write(out.frame.retain());
        batch.add(to.connection());
        return true;
    }

    /** Sends a call, which has not begun where it waited, to the replica of a name. */
    void resend(Pair.Call call, String replica) {
        KeptRequest kept = call.kept();
        if (!client.ended(call) || client.isClosed()) {
            client.memory().notExecuted(call.clientId());
            call.ended(); // no call waits for the answer
            return;
        }
        RequestHead request = new RequestHead(0, call.clientId(), 0, 0);
        long micros = kept == null ? 0 : kept.micros(relay.nanos());
        if (kept == null) {
            refuse(request, ErrorCode.PROTOCOL, "the replica gave away a call that may not move");
        } else if (kept.isGivenUp()) {
            refuse(request, ErrorCode.CANCELLED, "cancelled before it began");
        } else if (micros < 0) {
            refuse(request, ErrorCode.DEADLINE, "the deadline passed at the broker, between two replicas");
        } else {
            ByteBuf frame = kept.copy(client.connection().allocator(), call.clientId(), micros);
            RequestFrame.moved(frame);
            resend(frame, replica, kept.moves() + 1);
            frame.release();
        }
        call.ended();
        batch.flushOutsideRead();
    }

    private void resend(ByteBuf frame, String replica, int moves) {
        RequestHead request = RequestHead.read(frame.duplicate());
        String service = service(request);
        ServiceView view = relay.view(service);
        if (view == null) {
            refuseUnserved(request, service, null);
        } else {
            ServerSide unused = forward(request, frame, view, view.placeAt(replica), moves);
        }
    }
}
