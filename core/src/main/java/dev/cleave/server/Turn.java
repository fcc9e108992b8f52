package dev.cleave.server;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.WrittenValue;
import dev.cleave.wire.Execution;
import dev.cleave.wire.PendingArgument;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Decides when a call may run: after those before it in its lane, and those of a serial object. */
final class Turn {

    private static final System.Logger LOG = SafeLog.of(Turn.class);

    /** From this size on, in bytes, a result stays that its caller does not need: others cost as much to fetch. */
    static final int LEAST_TO_STAY = 4 << 10;

    private final Invocation call;
    private @Nullable Lanes lanes;
    private @Nullable LaneQueue lane;
    private int place; // in the lane
    private List<PendingArgument> lacking = List.of();
    private @Nullable FetchedResults fetched;
    private boolean mayMove;
    private int uses; // arguments of later calls that the result is for, and nothing else; 0 if it is to be sent
    private List<PendingArgument> inserted = List.of();
    private boolean isReady; // guarded by the gate
    private @Nullable Invocation following;

    Turn(Invocation call) {
        this.call = call;
    }

    /** Resets the object for another call; only if it {@linkplain #isFree is free}. */
    void again() {
        lacking = List.of();
        fetched = null;
        mayMove = false;
        uses = 0;
        inserted = List.of();
        isReady = false;
        following = null;
    }

    /** The call is in a lane, as the one with a number: when it has been answered, the next one there has its turn. */
    void enter(Lanes of, LaneQueue queue, int number) {
        lanes = of;
        lane = queue;
        place = number;
    }

    /** Its number in its lane. */
    int place() {
        return place;
    }

    /**
     * Sets the arguments that are results of earlier calls.
     *
     * @param results those of other servers, which are being fetched; null if there are none
     */
    void lacks(List<PendingArgument> arguments, @Nullable FetchedResults results) {
        lacking = arguments;
        fetched = results;
    }

    boolean lacksArguments() {
        return !lacking.isEmpty();
    }

    /** Whether no result is being fetched from another server. */
    boolean hasFetched() {
        FetchedResults results = fetched;
        return results == null || results.areHere();
    }

    /**
     * Puts the results that are arguments between the other arguments.
     *
     * @param rest the other arguments; taken over if this succeeds
     * @param of says what they are put into
     * @return all arguments, or null if a result is not kept or not one that fits, or the arguments get too long
     */
    @Nullable
    PassedArguments complete(ByteBuf rest, PassedArguments.Lacking of) {
        LaneQueue own = lane;
        Lanes in = lanes;
        List<WrittenValue> results = own == null || in == null ? null : in.results(own, lacking, fetched);
        PassedArguments whole = null;
        try {
            whole = results == null ? null : PassedArguments.put(rest, lacking, results, of);
        } catch (SerialException e) { // its caller reads it, and fails as the program does
            LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", of.method().label(), e.getMessage());
        }
        if (whole != null) {
            inserted = lacking;
            lacking = List.of();
            fetched = null;
        }
        return whole;
    }

    /** Records that its caller needs the result for a number of arguments of later calls alone. */
    void letStay(int arguments) {
        uses = arguments;
    }

    /** The results that were put among its arguments. */
    List<PendingArgument> inserted() {
        return inserted;
    }

    /** Keeps a result for the calls that need it instead of sending it; false if it must be sent. */
    boolean stays(WrittenValue result) {
        LaneQueue own = lane;
        Lanes of = lanes;
        return uses > 0 && result.size() >= LEAST_TO_STAY && own != null && of != null && of.pin(own, place, uses);
    }

    /** Whether calls behind this one may need its result. */
    boolean keepsResult() {
        LaneQueue own = lane;
        return own != null && own.keepsResults();
    }

    /** Keeps the result for calls that need it; returns whether it is kept. */
    boolean keepResult(WrittenValue result) {
        LaneQueue own = lane;
        Lanes of = lanes;
        return own != null && of != null && of.keep(own, place, result);
    }

    /** Whether a result of some bytes may be kept. */
    boolean hasRoom(long bytes) {
        Lanes of = lanes;
        return of != null && of.hasRoom(bytes);
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

    /** Hands the call on: it is in no lane, or it is its turn there; once the results that it needs have come. */
    void begins() {
        FetchedResults results = fetched;
        if (results != null && !results.areHere()) {
            results.whenHere(() -> {
                if (!call.hand().isTaken()) {
                    call.startClock();
                    hand();
                }
            });
        } else {
            hand();
        }
    }

    private void hand() {
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
            if (next != null
                    && onWorker
                    && next.turn().gate() == null
                    && next.hasArrived()
                    && next.turn().hasFetched()) {
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
