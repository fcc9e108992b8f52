package dev.cleave.broker.relay;

import dev.cleave.broker.registry.ServiceView;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;

/** The calls of one client that replicas have given away, on their way to others. Of the event thread of its connection. */
final class MovedCalls {

    private final Relay relay;
    private final RelaySession session;
    private final ClientSide client;

    MovedCalls(Relay relay, RelaySession session, ClientSide client) {
        this.relay = relay;
        this.session = session;
        this.client = client;
    }

    /** Sends a call to the replica of a name, that has not begun where it waited. */
    void sendOn(RelayedCall call, String replica) {
        KeptRequest kept = call.kept();
        if (!client.ended(call) || client.isClosed()) {
            client.memory().notExecuted(call.clientId());
            call.ended(); // nobody waits for it
            return;
        }
        RequestHead request = new RequestHead(0, call.clientId(), 0, 0);
        long micros = kept == null ? 0 : kept.micros(relay.nanos());
        if (kept == null) {
            session.refuse(request, ErrorCode.PROTOCOL, "the replica gave away a call that may not move");
        } else if (kept.isGivenUp()) {
            session.refuse(request, ErrorCode.CANCELLED, "cancelled before it began");
        } else if (micros < 0) {
            session.refuse(request, ErrorCode.DEADLINE, "the deadline passed at the broker, between two replicas");
        } else {
            ByteBuf frame = kept.copy(client.connection().allocator(), call.clientId(), micros);
            RequestFrame.moved(frame);
            sendOn(frame, replica, kept.moves() + 1);
            frame.release();
        }
        call.ended();
        session.flushOutsideBatch();
    }

    private void sendOn(ByteBuf frame, String replica, int moves) {
        RequestHead request = RequestHead.read(frame.duplicate());
        String service = session.service(request);
        ServiceView view = relay.view(service);
        if (view == null) {
            session.refuse(request, ErrorCode.NO_REPLICA, "service " + service + " has no replica");
        } else {
            ServerSide unused = session.forwarding().forward(request, frame, view, view.placeAt(replica), moves);
        }
    }
}
