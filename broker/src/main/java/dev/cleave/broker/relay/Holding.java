package dev.cleave.broker.relay;

import dev.cleave.broker.registry.ServiceView;
import dev.cleave.replica.Placement;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The calls of one client that wait at the broker for room at a replica. Event thread of its connection only. */
final class Holding implements HeldCalls.Client {

    private final Relay relay;
    private final ClientSide client;
    private final Forwarding forwarding;
    private final FlushBatch batch;

    Holding(Relay relay, ClientSide client, Forwarding forwarding, FlushBatch batch) {
        this.relay = relay;
        this.client = client;
        this.forwarding = forwarding;
        this.batch = batch;
    }

    /** Places a new call that may go to any replica; null if it has to wait, or there is no replica. */
    @Nullable
    Placement place(String service, ServiceView view, @Nullable Long key) {
        return view.live().isEmpty() || relay.holds(service) ? null : view.place(key);
    }

    /** Keeps a call until there is room. */
    void hold(String service, RequestHead request, ByteBuf frame, @Nullable Long key) {
        if (!relay.hold(service, new HeldCalls.Held(this, request.id(), frame.retain(), key, relay.nanos()))) {
            frame.release();
            forwarding.refuse(request, ErrorCode.OVERLOAD, "the broker holds too many calls of service " + service);
        }
    }

    @Override
    public void execute(Runnable task) {
        client.connection().execute(task);
    }

    @Override
    public boolean resume(HeldCalls line, HeldCalls.Held call) {
        ByteBuf frame = call.frame();
        RequestHead request = RequestHead.read(frame.duplicate());
        String service = forwarding.service(request);
        ServiceView view = relay.view(service);
        boolean isServed = view != null && !view.live().isEmpty();
        Placement room = view == null || !isServed ? null : view.place(call.key());
        if (isServed && room == null) {
            return false;
        }
        if (line.take(this, call.id()) == null) { // given up meanwhile
            if (room != null) {
                room.end();
            }
            return true;
        }
        long micros = request.deadlineMicros() - (relay.nanos() - call.sinceNanos()) / 1_000;
        if (view == null || room == null) {
            forwarding.refuseUnserved(request, service, view);
        } else if (request.deadlineMicros() > 0 && micros <= 0) {
            room.end();
            forwarding.refuse(request, ErrorCode.DEADLINE, "the deadline passed at the broker: all replicas were busy");
        } else {
            RequestFrame.deadline(frame, request.deadlineMicros() > 0 ? micros : 0);
            ServerSide unused = forwarding.forward(request, frame, view, room, 0);
        }
        frame.release();
        batch.flushOutsideRead();
        return true;
    }

    /** Gives up a call for the client; returns false if it is not held. */
    boolean cancel(long id) {
        HeldCalls.Held held = relay.takeHeld(this, id);
        if (held == null) {
            return false;
        }
        forwarding.refuse(
                RequestHead.read(held.frame().duplicate()), ErrorCode.CANCELLED, "cancelled before it was sent");
        held.frame().release();
        return true;
    }

    /** Drops the calls of the client, which is gone. */
    void close() {
        relay.dropHeld(this);
    }
}
