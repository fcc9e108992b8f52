package dev.cleave.broker.relay;

import dev.cleave.broker.registry.ServiceView;
import dev.cleave.replica.Placement;
import dev.cleave.replica.Work;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Rating;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The calls of one client that wait at the broker for a replica, or for room at one. Event thread of its connection only. */
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
    Placement place(String service, ServiceView view, @Nullable Object key) {
        return view.live().isEmpty() || relay.holds(service) ? null : view.place(key);
    }

    /**
     * Returns what a policy knows of a call: {@link Work} if it has a priority, or the policy learns, else its key.
     *
     * @param key of the call, or null; for a policy that learns, it stands for the types of the arguments
     */
    @Nullable
    Object work(ServiceView view, RequestHead request, ByteBuf frame, @Nullable Long key) {
        Rating rating = request.options().rating();
        if (rating != null) {
            return new Work(key, client.announced().key(request.method()), rating.value());
        }
        Object kind = key != null ? key : client.announced().key(request.method());
        return view.learns() ? new Work(key, kind, bytes(request, frame)) : key;
    }

    private static double bytes(RequestHead request, ByteBuf frame) {
        double bytes = frame.readableBytes()
                - RequestHead.PLAIN_LENGTH
                - request.options().length();
        for (Blocks following : request.options().blocks()) {
            bytes += following.bytes();
        }
        return bytes;
    }

    /** Keeps a call until there is room; if {@code view} is null, until there is a replica. */
    void hold(String service, RequestHead request, ByteBuf frame, @Nullable Object key, @Nullable ServiceView view) {
        HeldCalls.Held held = new HeldCalls.Held(this, request, frame.retain(), key, relay.nanos());
        if (view != null && view.learns() && request.options().rating() == null) {
            held.byTime();
        }
        if (!relay.hold(service, held)) {
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
        long micros = request.deadlineMicros() - (relay.nanos() - call.sinceNanos()) / 1_000;
        boolean isLate = request.deadlineMicros() > 0 && micros <= 0;
        if (view != null && isServed && room == null && !isLate && isGone(line, call, request, service, view)) {
            return true;
        }
        if (room == null && (isServed || !isLate && forwarding.awaitsReplica(service, view))) {
            return false;
        }
        if (line.take(this, call.id()) == null) { // given up meanwhile
            if (room != null) {
                room.end();
            }
            return true;
        }
        if (room == null && isLate && forwarding.awaitsReplica(service, view)) {
            forwarding.refuse(
                    request, ErrorCode.DEADLINE, "the deadline passed at the broker: no replica has come back");
        } else if (view == null || room == null) {
            forwarding.refuseUnserved(request, service, view);
        } else if (isLate) {
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

    /** Sends a held call to another broker, if there is room for it there; returns whether it is held no more. */
    private boolean isGone(HeldCalls line, HeldCalls.Held call, RequestHead request, String service, ServiceView view) {
        if (request.options().lane() != null || !forwarding.isSentElsewhere(request, service, view)) {
            return false;
        }
        if (line.take(this, call.id()) != null) {
            call.frame().release();
        }
        batch.flushOutsideRead();
        return true;
    }

    /** Notes that the client is blocked on calls, some of which may be held. */
    void promote(Awaited awaited) {
        for (long id : awaited.calls()) {
            relay.promoteHeld(this, id);
        }
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
