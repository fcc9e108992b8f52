package dev.cleave.rt;

import dev.cleave.call.Handle;
import org.jspecify.annotations.Nullable;

/** The nest as a strand sees it: the calls of other strands, and how far it may go. Strands are named by numbers. */
interface StrandNest {

    /**
     * Returns the row of a number.
     *
     * @throws IllegalArgumentException if no strand sends calls of that row
     */
    StrandRow row(int number);

    /** Whether it is known of an ordinal of a row that it has a result, or never will have one. */
    default boolean isKnown(int row, long ordinal) {
        return row(row).isKnown(ordinal);
    }

    /** Returns the handle with the result of a known ordinal in a pass; null if there is none. */
    default @Nullable Handle resultOf(int row, long ordinal, long pass) {
        return row(row).resultOf(ordinal, pass);
    }

    /** Returns a copy of the result of an ordinal as the program was given it, null if there is none. */
    default @Nullable Object kept(int row, long ordinal) {
        return row(row).kept(ordinal);
    }

    /** Returns the call sent for an ordinal, null if none was yet. */
    default @Nullable Handle sentFor(int row, long ordinal) {
        return row(row).sentFor(ordinal);
    }

    /** Returns the first call of a row that has not ended, null if all have. */
    @Nullable
    Handle oldestInFlight(int row);

    /** Records that a strand has looked at one more result of a row. */
    default void looked(int row) {
        row(row).release();
    }

    /** Whether a strand may send one more call of a row. */
    boolean hasRoom(int strand, int row);

    /** Whether a strand may begin a pass of the outermost loop. */
    boolean mayPass(int strand, long pass);

    /** Whether the strands of a pass may be made: there is room for their calls. */
    default boolean mayFork(long pass) {
        return false;
    }

    /** Makes the strands of a pass, with what a strand has kept. */
    default void fork(Strand from) {
        throw new IllegalStateException("passes have no strands of their own here");
    }

    /** Records that a strand has sent a call. */
    void sent(SentCall call, int row, long pass);

    /** Records the key for which the last call of a row was sent. */
    default void keyed(int row, Object key) {
        throw new IllegalStateException("row: " + row + " (expected: that of calls that fill a map)");
    }

    /** A strand comes in a pass to a call of a method that calls itself, whose strands begin with some values. */
    default void begins(Object[] values, int row, long pass) {
        throw new IllegalStateException("row: " + row + " (expected: that of a remote call)");
    }

    /** Returns the value of an activation that was begun at a row, null if it will not be known. */
    default @Nullable StrandValue valueOf(int row, long ordinal) {
        throw new IllegalStateException("row: " + row + " (expected: that of a remote call)");
    }

    /** The value that the activation returns is known. */
    default void gives(@Nullable Object value) {
        throw new IllegalStateException("a strand of a nest of loops");
    }

    /** Records that a strand sends no more calls. */
    void ended();
}
