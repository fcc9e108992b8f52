package dev.cleave.later;

import org.jspecify.annotations.Nullable;

/**
 * The arguments of one activation of a method that had not all arrived when it began, or the result of one call (then
 * the only "parameter"). Code that the agent has rewritten takes
 * them first thing and reads them; names and descriptors of this class never change.
 *
 * <p>A method that may begin so carries {@link TakesLater}. Until it has taken them its parameters that are still
 * arriving are null (primitives cannot be later). Parameters are numbered from 0, without the receiver. Of the thread
 * of the activation, except that a watermark may be read by any.
 *
 * <p>Everything that waits ends with the failure of the call when the argument cannot arrive any more (connection lost,
 * cancelled, deadline): the value is never half there.
 */
public abstract class LaterArguments {

    private static final ThreadLocal<@Nullable LaterArguments> HANDED = new ThreadLocal<>();

    protected LaterArguments() {}

    /**
     * Takes what was handed over to this activation of a method; null if all arguments have arrived, or the program calls.
     *
     * @param methods name and descriptor of the method that begins, and behind blanks those of the methods of the
     *     compiler (bridges) that may have led to it
     */
    public static @Nullable LaterArguments take(String methods) {
        LaterArguments handed = HANDED.get();
        if (handed == null) {
            return null;
        }
        HANDED.remove();
        for (String method : methods.split(" ")) {
            if (handed.isOf(method)) {
                return handed;
            }
        }
        return null;
    }

    /** For as long as it is open, arguments are handed to the method that its thread calls next. */
    public interface Handover extends AutoCloseable {

        @Override
        void close();
    }

    /** Hands these to the method that this thread calls next. */
    public final void handOver() {
        HANDED.set(this);
    }

    /** Hands nothing to the method that this thread calls next. */
    public static void clear() {
        HANDED.remove();
    }

    /** Hands the arguments over as {@link #handOver}, until the handover is closed. */
    public final Handover handedOver() {
        handOver();
        return LaterArguments::clear;
    }

    /**
     * Whether these are the arguments of a method, given as name and descriptor of the called one, which may be a
     * bridge.
     */
    protected abstract boolean isOf(String method);

    /** Whether a parameter had not arrived when these were handed over; the others were given as they are. */
    public abstract boolean isLater(int parameter);

    /**
     * The value, whole; waits for it. The same object as often as it is asked for, and the one that {@link #begun}
     * gave.
     */
    public abstract @Nullable Object whole(int parameter);

    /**
     * The array (or list of known size) itself as soon as it exists, null if null was sent; its elements below the
     * watermark are there. Waits for its length alone.
     */
    public abstract @Nullable Object begun(int parameter);

    /**
     * The watermark: how many elements are there, counted from 0; of an array of arrays whole rows. Grows only. Never
     * waits.
     */
    public abstract int received(int parameter);

    /**
     * Waits until the element is there.
     *
     * @param index any int; for one outside of the array this returns once the length is known, and the access itself
     *     throws
     * @return the watermark, greater than the index if that is within the array
     */
    public abstract int await(int parameter, int index);

    /**
     * The array is an argument of the remote call that this thread makes next: what is missing of it goes on to that
     * server as it comes. Waits for all of it where that cannot be.
     */
    public void passOn(int parameter) {
        Object unused = whole(parameter);
    }
}
