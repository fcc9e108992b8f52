package dev.cleave.client;

import dev.cleave.call.LinkCall;
import dev.cleave.call.RemoteMethod;
import dev.cleave.config.Style;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.ErrorCode;
import io.netty.buffer.ByteBuf;
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

    /** Its caller waits as soon as it is sent, in this frame. */
    void isAwaitedFromBeginning(ByteBuf frame) {
        awaitedFromBeginning = true;
        Awaited.mark(frame);
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
