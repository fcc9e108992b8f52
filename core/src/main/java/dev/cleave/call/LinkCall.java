package dev.cleave.call;

import dev.cleave.CallException.Execution;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.Codec;
import dev.cleave.serial.CopyRestore;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.wire.ErrorCode;
import org.jspecify.annotations.Nullable;

/**
 * A request of a link that waits for one answer. The link calls its methods on the event thread, except those that
 * only ask, and calls none after {@link #moved}, {@link #lost} or an end.
 */
public interface LinkCall extends ResultStream.Asked {

    /** Whether it has ended. */
    boolean isDone();

    /** Reads and writes the values of the call. */
    Codec codec();

    /** The arguments that its answer restores; null if none are. */
    default @Nullable CopyRestore restored() {
        return null;
    }

    /** Whether the program gets the result as a later value, of whatever type the method is. */
    default boolean isShown() {
        return false;
    }

    /** Whether it was sent before the program has come to its place, and the program has not come there yet. */
    default boolean isBeforeItsPlace() {
        return false;
    }

    /** Says that the peer, or the one with that number behind it, has sent an answer, which is read next. */
    default void answeredBy(int peer) {}

    /**
     * Says that a result of {@code bytes} bytes is about to come.
     *
     * @return where the memory for its large values is taken from
     */
    default ReceiveBudget.Room arrives(long bytes) {
        return ReceiveBudget.Room.ARRIVING;
    }

    /** Says that a result of {@code bytes} bytes has come as a whole. */
    default void arrived(int bytes) {}

    /** Says that the result stays at the server, and that the call has ended. */
    default void stayed(long bytes) {
        fail(ErrorCode.PROTOCOL, Execution.EXECUTED, "the result stays at the server, which was not asked for", null);
    }

    /** Says that the result has begun to come, and goes on arriving when the call has ended with it. */
    default void arrives(ResultStream result) {}

    /** Says that the server works on the call. */
    default void begun() {}

    /** Says that the peer is silent: a call that may be executed again may go to another replica. */
    default void suspected() {}

    /** Says that the broker hears nothing of the replica that has the call, and that there is another one. */
    default void replicaSuspected() {}

    /** Says that the call has not begun where it waited, and is to be sent to another replica. */
    void moved(String replica);

    /** Says that the link is gone. */
    void lost(@Nullable Throwable cause);

    /**
     * Handles an answer after which the call may be sent again.
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
