package dev.cleave.client;

import dev.cleave.CallException.Execution;
import dev.cleave.call.LinkCall;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.wire.ErrorCode;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * A call on its way, as those see it who send it again, ask for it or hedge it. Thread-safe.
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

    /** Whether its caller has waited for it since it was sent. */
    boolean isAwaitedFromBeginning();

    /** Lets go of its arguments if it has ended; said after they were given to be kept. */
    void letGoIfEnded();

    /** Another replica has been asked besides, and may execute it, or is known not to. */
    void mayRunBesides(boolean may);

    /** Tells the server, wherever it is, that the result is not wanted. */
    void withdraw();

    @Override
    boolean fail(ErrorCode code, Execution execution, String message, @Nullable Throwable cause);
}
