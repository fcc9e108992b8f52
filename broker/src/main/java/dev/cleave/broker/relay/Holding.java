package dev.cleave.broker.relay;

import dev.cleave.broker.registry.ServiceView;
import dev.cleave.replica.Placement;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The calls of one client that wait at the broker for room at a replica. Of the event thread of its connection. */
final class Holding {

    private final Relay relay;
    private final RelaySession session;

    Holding(Relay relay, RelaySession session) {
        this.relay = relay;
        this.session = session;
    }

    /** Where a new call that may go anywhere goes; null if it has to wait, or there is nobody. */
    @Nullable
    Placement place(String service, ServiceView view, @Nullable Long key) {
        return view.live().isEmpty() || relay.holds(service) ? null : view.place(key);
    }

    /** Keeps a call until there is room. */
    void hold(String service, RequestHead request, ByteBuf frame, @Nullable Long key) {
        if (!relay.hold(service, new HeldCalls.Held(session, request.id(), frame.retain(), key, relay.nanos()))) {
            frame.release();
            session.refuse(request, ErrorCode.OVERLOAD, "the broker holds too many calls of service " + service);
        }
    }

    /** Sends a call on that was held, or refuses it; false if there is no room for it yet. */
    boolean resume(HeldCalls line, HeldCalls.Held call) {
        ByteBuf frame = call.frame();
        RequestHead request = RequestHead.read(frame.duplicate());
        String service = session.service(request);
        ServiceView view = relay.view(service);
        boolean isServed = view != null && !view.live().isEmpty();
        Placement room = view == null || !isServed ? null : view.place(call.key());
        if (isServed && room == null) {
            return false;
        }
        if (line.take(session, call.id()) == null) { // given up meanwhile
            if (room != null) {
                room.end();
            }
            return true;
        }
        long micros = request.deadlineMicros() - (relay.nanos() - call.sinceNanos()) / 1_000;
        if (view == null || room == null) {
            session.refuse(request, ErrorCode.NO_REPLICA, "service " + service + " has no live replica");
        } else if (request.deadlineMicros() > 0 && micros <= 0) {
            room.end();
            session.refuse(request, ErrorCode.DEADLINE, "the deadline passed at the broker: all replicas were busy");
        } else {
            RequestFrame.deadline(frame, request.deadlineMicros() > 0 ? micros : 0);
            ServerSide unused = session.forwarding().forward(request, frame, view, room);
        }
        frame.release();
        session.flushOutsideBatch();
        return true;
    }

    /** The client gives a call up; false if it is not held. */
    boolean cancel(long id) {
        HeldCalls.Held held = relay.takeHeld(session, id);
        if (held == null) {
            return false;
        }
        session.refuse(RequestHead.read(held.frame().duplicate()), ErrorCode.CANCELLED, "cancelled before it was sent");
        held.frame().release();
        return true;
    }
}
