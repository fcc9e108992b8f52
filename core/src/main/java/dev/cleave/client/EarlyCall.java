package dev.cleave.client;

import dev.cleave.call.LinkCall;
import dev.cleave.call.RemoteMethod;
import dev.cleave.config.Style;
import dev.cleave.stream.AheadRoom;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.wire.ErrorCode;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * A call that may be sent before the program has come to its place: where it was not executed then, it is made anew when it is
 * awaited.
 */
abstract class EarlyCall extends LinkCall {

    private static final AtomicReferenceFieldUpdater<EarlyCall, @Nullable Runnable> SETTLED =
            AtomicReferenceFieldUpdater.newUpdater(EarlyCall.class, Runnable.class, "settled");

    private boolean sentAhead; // before it is sent
    private volatile boolean givenUp;
    private volatile @Nullable Runnable settled; // taken out to run
    private boolean awaitedFromBeginning; // before it is sent
    private boolean shown; // before it is sent
    private volatile WaitPath path = WaitPath.NONE;
    private volatile @Nullable TakenRoom room; // for what it needs while the program has not come to its place
    private volatile boolean taken; // by the program

    EarlyCall(RemoteMethod method) {
        super(method);
    }

    /** It is about to be sent for the first time, by this thread. */
    void setOut() {
        WaitPath here = method().conduct().style() == Style.ONE_WAY ? WaitPath.NONE : WaitPath.here();
        if (here != WaitPath.NONE) {
            path = here;
        }
    }

    /** What waits for it. */
    WaitPath path() {
        return path;
    }

    @Override
    protected long waitNumber() {
        return path.number();
    }

    /** Its caller waits as soon as it is sent. */
    void waitsFromBeginning() {
        awaitedFromBeginning = true;
    }

    /** Its result is used while it arrives, of whatever type its method is. */
    void showsItsResult() {
        shown = true;
    }

    @Override
    protected boolean isShown() {
        return shown;
    }

    boolean isAwaitedFromBeginning() {
        return awaitedFromBeginning;
    }

    /** Whether the call, which may have been executed, may be executed again, and nothing else sends it again. */
    abstract boolean isRepeatable();

    /** It is sent before the program has come to its place. */
    void aheadOfItsPlace() {
        sentAhead = true;
    }

    /** Whether it was sent before the program has come to its place. */
    boolean isAhead() {
        return sentAhead;
    }

    /**
     * Runs a task once, when it is certain that the call is not executed any more: when it has ended and is not to be made
     * anew, when the call that stands for it has, or when it was given up. The task may not block.
     */
    void onSettled(Runnable task) {
        settled = task;
        if (isDone()) {
            settleUnlessMadeAnew();
        }
    }

    @Override
    public boolean isRefusedForNow() {
        return wasOverload() && mayBeMadeAnew();
    }

    /** Whether the call has ended so that a new one may stand for it. */
    boolean mayBeMadeAnew() {
        return !givenUp && failedAhead();
    }

    /** As {@link #mayBeMadeAnew}, also if it was given up. */
    boolean failedAhead() {
        return sentAhead && (wasNotExecuted() || isRepeatable());
    }

    void settleUnlessMadeAnew() {
        if (!mayBeMadeAnew()) {
            settle();
        }
    }

    void settle() {
        if (settled == null) {
            return;
        }
        Runnable task = SETTLED.getAndSet(this, null);
        if (task != null) {
            task.run();
        }
    }

    /** The bytes that a result of its method is likely to have. */
    abstract long expectedResult();

    /** A result has so many bytes. */
    abstract void hasResult(long bytes);

    /** The room of calls like this at the node. */
    abstract AheadRoom aheadRoom();

    /** Takes room for arguments of so many bytes and the result; false if there is none for the arguments. Before it is sent. */
    boolean takesRoom(long arguments) {
        long result = expectedResult();
        if (arguments + result >= AheadRoom.LEAST) {
            room = TakenRoom.of(aheadRoom(), arguments, result);
            return room != null;
        }
        return true;
    }

    /** As {@link #takesRoom}, whether there is any or not. */
    void takesRoomAnyway(long arguments) {
        long result = expectedResult();
        if (arguments + result >= AheadRoom.LEAST) {
            room = TakenRoom.always(aheadRoom(), arguments, result);
        }
    }

    /** It gives back the room that it has taken, if any: it is not sent. */
    void roomIsLeft() {
        TakenRoom known = room;
        if (known != null) {
            known.release();
        }
    }

    /** It gives back the room that it has taken, if any: it has ended. */
    void leavesRoom() {
        TakenRoom known = room;
        if (known != null) {
            known.ended(hasResult(), failedAhead() && !givenUp);
        }
    }

    @Override
    public boolean mayBeFollowedBy(int calls) {
        TakenRoom known = room;
        long each = Math.max(expectedResult(), known == null ? 0 : known.needed());
        return each < AheadRoom.LEAST || aheadRoom().has(calls * each);
    }

    @Override
    public void taken() {
        taken = true;
        TakenRoom known = room;
        if (known != null) {
            known.taken(isDone());
        }
    }

    @Override
    protected boolean isBeforeItsPlace() {
        return sentAhead && !taken && deadlineAt() == 0;
    }

    @Override
    protected ReceiveBudget.Room arrives(long bytes) {
        hasResult(bytes);
        if (!isBeforeItsPlace()) {
            return ReceiveBudget.Room.ARRIVING;
        }
        return heldRoom().fits(bytes) ? ReceiveBudget.Room.MADE : ReceiveBudget.Room.LATER;
    }

    @Override
    protected void arrived(int bytes) {
        hasResult(bytes);
        if (bytes >= AheadRoom.LEAST && isBeforeItsPlace()) {
            heldRoom().holds(bytes);
        }
    }

    private TakenRoom heldRoom() {
        TakenRoom known = room;
        if (known == null) {
            known = TakenRoom.always(aheadRoom(), 0, 0);
            room = known;
            if (taken) { // meanwhile
                known.taken(isDone());
            }
        }
        return known;
    }

    @Override
    protected boolean isAlone() {
        return !sentAhead && !shown && !givenUp && settled == null && path == WaitPath.NONE && super.isAlone();
    }

    @Override
    protected void renew() {
        super.renew();
        awaitedFromBeginning = false;
    }

    @Override
    public void withdrawn() {
        givenUp = true;
        super.withdrawn();
    }

    @Override
    public void discard() {
        givenUp = true;
        taken();
        super.discard();
        if (isDone()) {
            settle();
        }
    }

    /** Whether a call that failed for this reason might not when it is made again. */
    static boolean isPassing(ErrorCode why) {
        return switch (why) {
            case OVERLOAD, DEADLINE, CANCELLED, CONNECTION_LOST, NO_REPLICA, NOT_REGISTERED -> true;
            default -> false;
        };
    }
}
