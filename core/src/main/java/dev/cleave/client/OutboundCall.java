package dev.cleave.client;

import dev.cleave.CallException.Execution;
import dev.cleave.call.LinkCall;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.wire.ErrorCode;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A call on its way, as those see it who send it again, ask for it or hedge it. Thread-safe, but for {@link #enter} and {@link #keep}: those
 * are of the thread that has the call in hand.
 */
interface OutboundCall extends Ordered, LinkCall {

    /** What it asks of its server. */
    Request request();

    /** Where it is. */
    Journey journey();

    /** Whether it has ended with a result. */
    boolean hasResult();

    /** Whether it was sent before the program had come to its place. */
    boolean isAhead();

    /** Where it stands among others. */
    Order order();

    /** What is left of its time, in nanoseconds. */
    long remaining();

    /** Whether its arguments are kept in whole, and no order or reference binds it to a replica. */
    boolean mayMove();

    /** Takes a way; returns its number there, which is not positive if the link is gone. */
    long enter(Hop way);

    /** Whether its caller has waited for it since it was sent. */
    boolean isAwaitedFromBeginning();

    /** Keeps the arguments of a frame without options, which stays the caller's, unless it has ended. */
    void keepOf(ByteBuf frame);

    /** Keeps arguments, which it takes over, unless it has ended. */
    void keep(ByteBuf arguments);

    /** Another replica has been asked besides, and may execute it, or is known not to. */
    void mayRunBesides(boolean may);

    /** Tells the server, wherever it is, that the result is not wanted. */
    void withdraw();

    @Override
    boolean fail(ErrorCode code, Execution execution, String message, @Nullable Throwable cause);
}
