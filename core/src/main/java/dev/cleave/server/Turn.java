package dev.cleave.server;

import dev.cleave.call.RemoteMethod;
import dev.cleave.serial.ValueKind;
import dev.cleave.wire.Execution;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.PendingArgument;
import dev.cleave.wire.Reply;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides when a call may run: after those before it in its lane, and those of a serial object. */
final class Turn {

    private final Invocation call;
    private @Nullable Lanes lanes;
    private @Nullable LaneQueue lane;
    private int place; // in the lane
    private List<PendingArgument> lacking = List.of();
    private boolean mayMove;
    private boolean isReady; // guarded by the gate
    private @Nullable Invocation following;

    Turn(Invocation call) {
        this.call = call;
    }

    /** Resets the object for another call; only if it {@linkplain #isFree is free}. */
    void again() {
        lacking = List.of();
        mayMove = false;
        isReady = false;
        following = null;
    }

    /** The call is in a lane, as the one with a number: when it has been answered, the next one there has its turn. */
    void enter(Lanes of, LaneQueue queue, int number) {
        lanes = of;
        lane = queue;
        place = number;
    }

    /** Sets the arguments that are results of earlier calls of its lane. */
    void lacks(List<PendingArgument> arguments) {
        lacking = arguments;
    }

    boolean lacksArguments() {
        return !lacking.isEmpty();
    }

    /**
     * Puts the results that are arguments between the other arguments.
     *
     * @param rest the other arguments; taken over if this succeeds
     * @return all arguments, or null if a result is not kept, or the arguments get too long
     */
    @Nullable
    ByteBuf complete(ByteBuf rest) {
        LaneQueue own = lane;
        Lanes of = lanes;
        List<byte[]> results = own == null || of == null ? null : of.results(own, lacking);
        long bytes = RequestHead.PLAIN_LENGTH + rest.readableBytes();
        for (byte[] result : results == null ? List.<byte[]>of() : results) {
            bytes += result.length;
        }
        if (results == null || bytes > FrameKind.REQUEST.maxLength()) {
            return null;
        }
        ByteBuf whole = rest.alloc().buffer((int) bytes);
        int taken = 0;
        for (int i = 0; i < results.size(); i++) {
            int at = lacking.get(i).at();
            whole.writeBytes(rest, at - taken).writeBytes(results.get(i));
            taken = at;
        }
        whole.writeBytes(rest);
        rest.release();
        lacking = List.of();
        return whole;
    }

    /** Keeps the result for calls behind this one, which may need it; only values that need nothing but their bytes. */
    void keepResult(ByteBuf reply, RemoteMethod method) {
        LaneQueue own = lane;
        Lanes of = lanes;
        ValueKind kind = method.result();
        if (own == null || of == null || !own.keepsResults() || kind == null || kind == ValueKind.OBJECT) {
            return;
        }
        byte[] result = new byte[reply.readableBytes() - Reply.RESULT_AT];
        reply.getBytes(reply.readerIndex() + Reply.RESULT_AT, result);
        of.keep(own, place, result);
    }

    @Nullable
    SerialGate gate() {
        return call.exported().order().gate();
    }

    /** Whether its time begins to run only when it is its turn. */
    boolean isInChain() {
        LaneQueue own = lane;
        return own != null && own.isChain();
    }

    /** Whether it may run before calls that came earlier: not where an order was promised. */
    boolean isFree() {
        return lane == null && gate() == null;
    }

    /**
     * Whether its caller makes it at its place if it is refused, as it does with what is behind it in its chain or
     * group.
     */
    boolean canGiveWay() {
        LaneQueue own = lane;
        return gate() == null
                && (own == null ? call.isSentAhead() : own.isChain() || own.isSticky() && call.isSentAhead());
    }

    /** Refuses the call for a call at its place, if it waits behind others in its chain or group. */
    boolean givesWay(String why) {
        LaneQueue own = lane;
        Lanes of = lanes;
        return own != null && of != null && of.giveUp(own, call, why);
    }

    /** Records that its caller can send it to another replica. */
    void letMove() {
        mayMove = true;
    }

    /** Whether it may wait at another replica as well as here. */
    boolean mayMove() {
        return mayMove && isFree();
    }

    /** Hands the call on: it is in no lane, or it is its turn there. */
    void begins() {
        SerialGate gate = gate();
        if (gate == null) {
            call.exported().dispatcher().dispatch(call);
        } else {
            call.whenArrived(() -> gate.ready(call));
        }
    }

    /** Records that the gate has been told that the call is ready. */
    void ready() {
        isReady = true;
    }

    boolean isReady() {
        return isReady;
    }

    /** Makes room for it while it waits in a lane, if it has none and there is any. */
    boolean takePlace() {
        return gate() != null || call.exported().dispatcher().hold(call);
    }

    /** Gives back its room: it does not wait in a lane any more. */
    void leavePlace() {
        if (gate() == null) {
            call.exported().dispatcher().release(call);
        }
    }

    /** The call behind it in its lane, to be run by the same worker; null if there is none. */
    @Nullable
    Invocation following() {
        return following;
    }

    /**
     * Ends its turn: the call has been answered, or will never run.
     *
     * @param onWorker whether the worker that ran it can run the one behind it
     */
    void ended(Execution execution, boolean hasResult, boolean onWorker) {
        LaneQueue own = lane;
        Lanes of = lanes;
        if (own != null && of != null) {
            Invocation next = of.ended(own, call, execution, hasResult);
            if (next != null && onWorker && next.turn().gate() == null && next.hasArrived()) {
                following = next;
            } else if (next != null) {
                next.turn().begins();
            }
        }
        SerialGate gate = gate();
        if (gate != null) {
            gate.ended(call);
        }
    }
}
