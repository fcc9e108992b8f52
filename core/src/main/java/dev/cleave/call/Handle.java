package dev.cleave.call;

import dev.cleave.transport.WaitCondition;
import org.jspecify.annotations.Nullable;

/**
 * A call that has been sent and not yet awaited, as rewritten code holds it.
 *
 * <p>Sending never throws: the await throws the failure of a send. Each await throws exactly what the synchronous
 * call would have thrown, with the stack of the awaiting thread, and may be repeated. Results of type boolean, byte,
 * char and short come as int.
 */
public abstract class Handle {

    /** Begins the deadline: the program has reached the place where the call was written. */
    public abstract void origin();

    /** Says whether an await would return or throw at once. */
    public abstract boolean isDone();

    /**
     * Waits for the end of the call, and says whether the method has answered: with a result, or with what it threw.
     * Where the call itself failed (connection, deadline, overload) the method may be asked again.
     */
    public abstract boolean hasAnswer();

    /**
     * Whether the call has ended without an answer of its method: lost, too late, refused. An await of such a call may
     * make the call again and wait for it; an await of any other call that has ended returns or throws at once.
     */
    public boolean isUnanswered() {
        return false;
    }

    /** Whether the call has ended because the server had no room for it; the call may have been made again since. */
    public boolean wasOverload() {
        return false;
    }

    /** Whether the call has ended because the server had no room for it, and the await makes it again. */
    public boolean isRefusedForNow() {
        return false;
    }

    /**
     * Whether this node has room for {@code calls} more calls like this one, judged by the bytes of its arguments and
     * of earlier results of its method: results of calls that are sent ahead are kept here until the program takes
     * them.
     */
    public boolean mayBeFollowedBy(int calls) {
        return true;
    }

    /**
     * Makes the end of the call unpark a thread, perhaps later than {@link #isDone} returns true; allocates nothing
     * for the first thread.
     */
    public void wakes(Thread thread) {}

    /**
     * Begins the deadline, and waits until the call has ended, its deadline has passed, or the condition {@code other}
     * holds; the thread that makes it hold has to wake the current one, as the call {@linkplain #wakes does}. May
     * return early.
     *
     * @param since when the wait began, as {@link System#nanoTime}: earlier than now if this continues a wait
     * @return whether an await has nothing more to wait for
     */
    public boolean awaitOr(WaitCondition other, long since) {
        return true;
    }

    /**
     * Waits until the call has ended, the condition {@code other} holds, or a time has come, without beginning the deadline; may return
     * early. The thread that makes the condition hold has to wake the current one.
     *
     * @param atNanos when to return, as {@link System#nanoTime}
     */
    public void linger(WaitCondition other, long atNanos) {}

    /** Flushes the frame of the call if it is still buffered; never waits. */
    public void hurry() {}

    /** Tells the call that the program has come to it: memory kept for its result is the program's from now on. */
    public void taken() {}

    /**
     * Makes the await change another array than the one that the call was sent with: a copy of the program's code has made that one,
     * and the program has come to the call with its own, which has the same elements. Before the await.
     *
     * @param number which of the arrays that the call changes, from 0
     */
    public void restoresInto(int number, @Nullable Object array) {}

    /** The bytes of a result that the program awaits and does not use, and that has stayed at its server; else 0. */
    public long stayedBytes() {
        return 0;
    }

    /** The bytes of arguments that were not sent, as the server had them from earlier calls. */
    public long sparedBytes() {
        return 0;
    }

    /** Waits for the end of a void call, or of one whose result is not wanted. */
    public abstract void awaitVoid() throws Throwable;

    /** Waits for a result of type boolean, byte, char, short or int. */
    public abstract int awaitInt() throws Throwable;

    /** Waits for a long. */
    public abstract long awaitLong() throws Throwable;

    /** Waits for a float. */
    public abstract float awaitFloat() throws Throwable;

    /** Waits for a double. */
    public abstract double awaitDouble() throws Throwable;

    /** Waits for an object. */
    public abstract @Nullable Object await() throws Throwable;

    /** Asks the server not to begin the call, which is {@linkplain #discard discarded} next; never waits or throws. */
    public void withdrawn() {}

    /**
     * Gives the call up and drops its result. For a method that may change something this waits, within the call's
     * deadline, until the server has said that it did not begin, or the call has ended; never throws.
     */
    public abstract void discard();
}
