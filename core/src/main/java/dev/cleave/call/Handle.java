package dev.cleave.call;

import dev.cleave.transport.WaitCondition;
import org.jspecify.annotations.Nullable;

/**
 * A call that has been sent and not yet awaited, as rewritten code holds it.
 *
 * <p>Sending never throws: whatever went wrong is thrown by the await. Each await throws exactly what the synchronous
 * call would have thrown, with the stack of the awaiting thread, and may be repeated. Results of type boolean, byte,
 * char and short come as int.
 */
public abstract class Handle {

    /** The program has reached the place where the call was written: its deadline begins. */
    public abstract void origin();

    /** Says whether an await would return or throw at once. */
    public abstract boolean isDone();

    /**
     * Waits for the end of the call, and says whether the method has answered: with a result, or with what it threw. Where
     * the call itself failed (connection, deadline, overload) the method may be asked again.
     */
    public abstract boolean hasAnswer();

    /**
     * Whether the call has ended without an answer of its method: lost, too late, refused. An await may then make it once more,
     * and wait for that; of any other call that has ended it returns or throws at once.
     */
    public boolean isUnanswered() {
        return false;
    }

    /** Whether the call has ended because the server had no room for it; it may have been made once more since. */
    public boolean wasOverload() {
        return false;
    }

    /** Whether the call has ended because the server had no room for it, and the await makes it again. */
    public boolean isRefusedForNow() {
        return false;
    }

    /**
     * Whether there is room for so many more calls like this one, by the bytes of its arguments and of the results that its
     * method has had: what is sent ahead waits here until the program comes to it.
     */
    public boolean mayBeFollowedBy(int calls) {
        return true;
    }

    /** The end of the call unparks a thread, perhaps later than {@link #isDone} says so; allocates nothing for the first one. */
    public void wakes(Thread thread) {}

    /**
     * Waits until the call has ended, its deadline has passed, or something else has come, of which somebody wakes the current
     * thread, as the call {@linkplain #wakes does}; the deadline begins. May return early.
     *
     * @param since when the wait began, as {@link System#nanoTime}, if this goes on with one
     * @return whether an await has nothing more to wait for
     */
    public boolean awaitOr(WaitCondition other, long since) {
        return true;
    }

    /** Whatever is still buffered of it goes now; never waits. */
    public void hurry() {}

    /** The program has come to the call: what is kept of it is the program's from now on. */
    public void taken() {}

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
