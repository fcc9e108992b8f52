package dev.cleave.client;

import dev.cleave.call.Chain;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/** Where a call stands among those that it may not overtake: in a chain or group, or behind one-way calls of its thread. */
final class Order {

    /** That of most calls. */
    static final Order NONE = new Order(null, PassedResults.NONE);

    private static final AtomicReferenceFieldUpdater<Order, @Nullable Runnable> SETTLED =
            AtomicReferenceFieldUpdater.newUpdater(Order.class, Runnable.class, "settled");

    private final @Nullable Chain chain; // or group
    private final PassedResults passed;
    private volatile @Nullable Ordered before; // until it or the call has ended
    private long lane = -1; // before the call is sent
    private int number; // in the lane
    private volatile @Nullable Runnable settled; // taken out to run

    private Order(@Nullable Chain chain, PassedResults passed) {
        this.chain = chain;
        this.passed = passed;
    }

    /** That of a call in a chain or group, some of whose arguments may be results of earlier calls of it. */
    static Order in(Chain chain, PassedResults passed) {
        return new Order(chain, passed);
    }

    /** That of a call which is in none. */
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

    /** The call goes in a lane, the last that its chain was asked for. */
    void goesIn(long id, int last) {
        lane = id;
        number = last;
    }

    /** The number of the call in its lane. */
    int number() {
        return number;
    }

    /** Whether the call was sent in a lane of a chain, which has not begun again since. */
    boolean isIn(Chain of) {
        return chain == of && lane == of.laneId();
    }

    /** The call that may not be overtaken; null if there is none, or it has ended. */
    @Nullable
    Ordered before() {
        return before;
    }

    /** The call is sent behind another one. */
    void follows(Ordered earlier) {
        before = earlier;
    }

    /** The call has ended otherwise than by a result if {@code failed}; those behind it may go their own way. */
    void ended(boolean failed, boolean wasExecuted) {
        if (before != null) {
            before = null;
        }
        if (chain != null && failed) {
            chain.failed(wasExecuted);
        }
    }

    /** Whether the order has nothing to do with the call any more, or never had. */
    boolean isOver() {
        return this == NONE || chain == null && before == null && settled == null;
    }

    /** Has a task run once, when the order has nothing to do with the call any more. */
    void onSettled(Runnable task) {
        settled = task;
    }

    /** Runs that task. */
    void settle() {
        Runnable task = settled == null ? null : SETTLED.getAndSet(this, null);
        if (task != null) {
            task.run();
        }
    }
}
