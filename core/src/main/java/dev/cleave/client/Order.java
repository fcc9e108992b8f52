package dev.cleave.client;

import dev.cleave.call.Chain;
import dev.cleave.call.ChainLane;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** The calls that one call may not overtake: in a chain or group, or one-way calls of its thread. */
final class Order {

    /** The order of most calls: none. */
    static final Order NONE = new Order(null, PassedResults.NONE);

    private static final AtomicReferenceFieldUpdater<Order, @Nullable Runnable> SETTLED =
            AtomicReferenceFieldUpdater.newUpdater(Order.class, Runnable.class, "settled");

    private final @Nullable Chain chain; // chain or group
    private final PassedResults passed;
    private volatile @Nullable Ordered before; // the call not to overtake, until it or this call has ended
    private @Nullable ChainLane lane; // null before the call is sent
    private int number; // in the lane
    private volatile @Nullable Runnable settled; // task, taken out to run

    private Order(@Nullable Chain chain, PassedResults passed) {
        this.chain = chain;
        this.passed = passed;
    }

    /** Creates the order of a call in a chain or group, with arguments that are results of its earlier calls. */
    static Order in(Chain chain, PassedResults passed) {
        return new Order(chain, passed);
    }

    /** Creates the order of a call outside of chains and groups. */
    static Order behind() {
        return new Order(null, PassedResults.NONE);
    }

    /** The chain or group; null if the call is in none. */
    @Nullable
    Chain chain() {
        return chain;
    }

    /** Whether the call is in a chain or group. */
    boolean isInLane() {
        return chain != null;
    }

    PassedResults passed() {
        return passed;
    }

    /** Whether its server waits for word of a call at another server that has failed, so it does not execute this one. */
    boolean isInVain() {
        return lane != null && passed.areInVain(lane);
    }

    /** Records the lane of the call, and its number there. */
    void goesIn(ChainLane in, int last) {
        lane = in;
        number = last;
    }

    /** The lane of the call; null if it is in none, or has not been sent. */
    @Nullable
    ChainLane lane() {
        return lane;
    }

    /** The number of the call in its lane. */
    int number() {
        return number;
    }

    /** Whether the call was sent in the lane of a chain, which has not been renewed since. */
    boolean isIn(Chain of) {
        return chain == of && lane != null && of.lanes().contains(lane);
    }

    /** Returns the call that may not be overtaken; null if there is none, or it has ended. */
    @Nullable
    Ordered before() {
        return before;
    }

    /** Records the call that may not be overtaken. */
    void follows(Ordered earlier) {
        before = earlier;
    }

    /** Records that the call has ended; tells its chain if it has no result. */
    void ended(boolean failed, boolean wasExecuted) {
        if (before != null) {
            before = null;
        }
        if (chain != null && failed) {
            chain.failed(wasExecuted);
        }
    }

    /** Whether the call is bound by no order any more. */
    boolean isOver() {
        return this == NONE || chain == null && before == null && settled == null;
    }

    /** Sets the task that {@link #settle} runs once, when the call has ended for good. */
    void onSettled(Runnable task) {
        settled = task;
    }

    /** Runs the task of {@link #onSettled}. */
    void settle() {
        Runnable task = settled == null ? null : SETTLED.getAndSet(this, null);
        if (task != null) {
            task.run();
        }
    }
}
