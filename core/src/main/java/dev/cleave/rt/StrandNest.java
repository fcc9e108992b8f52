package dev.cleave.rt;

import dev.cleave.call.Handle;
import org.jspecify.annotations.Nullable;

/** Tells a strand of its nest: what others have sent, and how far it may go. Strands are named by their numbers. */
interface StrandNest {

    /** Whether looking at an ordinal of a row leads to anything: a result, or the knowledge that there will be none. */
    boolean isKnown(int row, long ordinal);

    /** Returns what has the result of an ordinal that is known, of a pass; null if there is none. */
    @Nullable
    Handle resultOf(int row, long ordinal, long pass);

    /** Returns what was sent for an ordinal, null if nothing was yet. */
    @Nullable
    Handle sentFor(int row, long ordinal);

    /** The first call of a row that has not ended, null if all have. */
    @Nullable
    Handle oldestInFlight(int row);

    /** A strand has looked at one more result of a row. */
    void looked(int row);

    /** Whether a strand may send one more call of a row. */
    boolean hasRoom(int strand, int row);

    /** Whether a strand may begin a pass of the outermost loop. */
    boolean mayPass(int strand, long pass);

    /** A strand has sent a call. */
    void sent(SentCall call, int row, long pass);

    /** A strand sends nothing more. */
    void ended();
}
