package dev.cleave.call;

import dev.cleave.CallException.Execution;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import dev.cleave.stream.InboundStreams;
import dev.cleave.wire.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * What a link carries: something that waits for one answer. Everything but the questions is said on the event thread of the
 * link, and nothing after {@link #moved}, {@link #lost} or an end.
 */
public interface LinkCall extends ResultStream.Asked {

    /** Whether it has ended. */
    boolean isDone();

    /** Reads and writes the values of the call. */
    Codec codec();

    /** Whether the program gets the result as a later value, of whatever type the method is. */
    default boolean isShown() {
        return false;
    }

    /** Whether it was sent before the program has come to its place, and that has not yet. */
    default boolean isBeforeItsPlace() {
        return false;
    }

    /** The peer, or the one behind it of that number, has sent an answer, which is read next. */
    default void answeredBy(int peer) {}

    /**
     * A result of {@code bytes} bytes is about to come.
     *
     * @return where the memory for its large values is taken from
     */
    default InboundStreams.Room arrives(long bytes) {
        return InboundStreams.Room.ARRIVING;
    }

    /** A result of {@code bytes} bytes has come as a whole. */
    default void arrived(int bytes) {}

    /** The result has begun to come, and goes on when the call has ended with it. */
    default void arrives(ResultStream result) {}

    /** The server works on the call. */
    default void begun() {}

    /** The peer has been silent for long: a call that may be executed again may go elsewhere. */
    default void suspected() {}

    /** The broker hears nothing of the replica that the call is at, and there is another one. */
    default void replicaSuspected() {}

    /** The call has not begun where it waited, and is to be sent to another replica. */
    void moved(String replica);

    /** The link is gone. */
    void lost(@Nullable Throwable cause);

    /**
     * An answer says that the call failed in a way that need not be the end of it.
     *
     * @return whether the call lives on
     */
    boolean sendAgain(FailureClass failure, String why);

    /** Ends the call; false if it has ended before. */
    boolean end(Outcome how);

    /** Ends the call with a result. */
    default boolean succeed(long bits, @Nullable Object value) {
        return end(bits == 0 && value == null ? Outcome.Result.NOTHING : new Outcome.Result(bits, value));
    }

    /** Ends the call because it failed. */
    default boolean fail(ErrorCode code, Execution execution, String message, @Nullable Throwable cause) {
        return end(new Outcome.Failed(code, execution, message, cause));
    }
}
