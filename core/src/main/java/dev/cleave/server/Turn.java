package dev.cleave.server;

import dev.cleave.wire.Execution;
import org.jspecify.annotations.Nullable;

/** When a call may run as far as others are concerned: those before it in its lane, and those of a serial object. */
final class Turn {

    private final Invocation call;
    private final Exported exported;
    private @Nullable Lanes lanes;
    private @Nullable LaneQueue lane;
    private boolean isReady; // guarded by the gate
    private @Nullable Invocation following;

    Turn(Invocation call, Exported exported) {
        this.call = call;
        this.exported = exported;
    }

    /** The call is in a lane: when it has been answered, the next one there has its turn. */
    void enter(Lanes of, LaneQueue queue) {
        lanes = of;
        lane = queue;
    }

    @Nullable
    SerialGate gate() {
        return exported.order().gate();
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

    /** It is in no lane, or it is its turn there. */
    void begins() {
        SerialGate gate = gate();
        if (gate == null) {
            exported.dispatcher().dispatch(call);
        } else {
            gate.ready(call);
        }
    }

    /** The gate has been told so. */
    void ready() {
        isReady = true;
    }

    boolean isReady() {
        return isReady;
    }

    /** Makes room for it while it waits in a lane, if it has none and there is any. */
    boolean takePlace() {
        return gate() != null || exported.dispatcher().hold(call);
    }

    /** It does not wait in a lane any more. */
    void leavePlace() {
        if (gate() == null) {
            exported.dispatcher().release(call);
        }
    }

    /** The call behind it in its lane, to be run by the same worker; null if there is none. */
    @Nullable
    Invocation following() {
        return following;
    }

    /**
     * The call has been answered, or will never run: whose turn it is now.
     *
     * @param onWorker whether the worker that ran it can run the one behind it
     */
    void ended(Execution execution, boolean hasResult, boolean onWorker) {
        LaneQueue own = lane;
        Lanes of = lanes;
        if (own != null && of != null) {
            Invocation next = of.ended(own, call, execution, hasResult);
            if (next != null && onWorker && next.turn().gate() == null) {
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
