package dev.cleave.client;

import dev.cleave.CallException.Execution;
import dev.cleave.call.LinkCall;
import dev.cleave.wire.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * A call under way, as {@link Sending}, {@link Failover}, {@link Recovery} and {@link Hedge} see it. Thread-safe.
 */
interface OutboundCall extends Ordered, LinkCall {

    /** Returns its request. */
    Request request();

    /** Returns where it is. */
    Journey journey();

    /** Whether it has ended with a result. */
    boolean hasResult();

    /** Whether it was sent before the program had come to its place. */
    boolean isAhead();

    /** Returns its order among other calls. */
    Order order();

    /** Returns the time left until its deadline, in nanoseconds. */
    long remaining();

    /** Whether its caller has waited for it since it was sent. */
    boolean isAwaitedFromBeginning();

    /** Records that it waits for room at a replica, and has not been sent. Before it waits. */
    void isHeld(WaitingCall<?> held);

    /** Releases its arguments if it has ended; called after they were handed over to be kept. */
    void letGoIfEnded();

    /** Records whether a replica that was asked besides may execute the call. */
    void mayRunBesides(boolean may);

    /** Tells the server that has the call that its result is not wanted. */
    void withdraw();

    @Override
    boolean fail(ErrorCode code, Execution execution, String message, @Nullable Throwable cause);
}
