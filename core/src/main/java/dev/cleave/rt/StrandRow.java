package dev.cleave.rt;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Handle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a strand has sent for one call of the program's text, by ordinals: the first time that the program comes to the call,
 * the second and so on. Kept until the program has taken it and all strands have looked at it that need its result.
 */
final class StrandRow {

    private static final int LEAST_CAPACITY = 4;

    private final int number;
    private final int window;
    private final Strand sender;
    private final List<Strand> lookers = new ArrayList<>();
    private @Nullable SentCall[] calls = new SentCall[LEAST_CAPACITY];
    private long base;
    private long sent;
    private long taken;
    private long done; // all before it have ended
    private boolean isUnflushed;

    /** The call that was taken last, while the program awaits it. */
    private @Nullable SentCall current;

    /**
     * Makes an empty row.
     *
     * @param window the most calls in flight
     */
    StrandRow(int number, int window, Strand sender) {
        this.number = number;
        this.window = window;
        this.sender = sender;
    }

    void addLooker(Strand looker) {
        lookers.add(looker);
    }

    Strand sender() {
        return sender;
    }

    int window() {
        return window;
    }

    /** Whether nothing is here for the program's next call. */
    boolean isBehind() {
        return sent == taken;
    }

    /** How many calls wait for the program. */
    long unclaimed() {
        return sent - taken;
    }

    /** How many calls are in flight, and what has overtaken others. */
    long inFlight() {
        done = Math.max(done, taken);
        while (done < sent && at(done).isDone()) {
            done++;
        }
        return sent - done;
    }

    /** The first call that has not ended, null if all have. */
    @Nullable
    Handle oldestInFlight() {
        return inFlight() == 0 ? null : at(done).handle();
    }

    /** Returns what was sent for an ordinal, null if nothing was yet. */
    @Nullable
    Handle sentFor(long ordinal) {
        return ordinal >= sent ? null : at(ordinal).handle();
    }

    /** Whether there is room for the bytes of one more call. */
    boolean fits() {
        return unclaimed() == 0 || at(sent - 1).mayBeFollowedBy(1);
    }

    void add(SentCall call, long pass) {
        call.belongsTo(pass);
        if (sent - base == calls.length) {
            grow();
        }
        calls[place(sent)] = call;
        sent++;
        isUnflushed = true;
    }

    /** Whether the next call is one that was sent for a pass. */
    boolean isFor(long pass) {
        return unclaimed() > 0 && at(taken).iteration() == pass;
    }

    /** The program comes to its next call. */
    SentCall take() {
        SentCall call = at(taken);
        taken++;
        current = call;
        release();
        call.taken();
        return call;
    }

    /** The program has gone on behind the call that it took last. */
    void passed() {
        current = null;
    }

    /** Whether looking at an ordinal leads to anything: a result, or the knowledge that there will be none. */
    boolean isKnown(long ordinal) {
        if (ordinal >= sent) {
            return sender.hasEnded();
        }
        SentCall call = at(ordinal);
        return isBehindProgram(ordinal, call)
                || call.handle().isDone() && !call.handle().isRefusedForNow();
    }

    /** Returns what has the result of an ordinal that is known, of a pass; null if there is none. */
    @Nullable
    Handle resultOf(long ordinal, long pass) {
        if (ordinal >= sent || at(ordinal).iteration() != pass) {
            return null;
        }
        SentCall call = at(ordinal);
        return isBehindProgram(ordinal, call) || !call.handle().isUnanswered() ? call.handle() : null;
    }

    /** Whether the program has been given the result. */
    private boolean isBehindProgram(long ordinal, SentCall call) {
        return ordinal < taken && call != current;
    }

    /** Flushes what was written to the connection. */
    void flush() {
        if (isUnflushed && sent > base) {
            at(sent - 1).handle().hurry();
        }
        isUnflushed = false;
    }

    /** Forgets what neither a strand nor the program needs any more. */
    void release() {
        long needed = taken;
        for (Strand looker : lookers) {
            if (!looker.hasEnded()) {
                needed = Math.min(needed, looker.looked(number));
            }
        }
        while (base < needed) {
            calls[place(base)] = null;
            base++;
        }
    }

    /** Asks the servers not to begin what was not taken, the call sent last first. */
    void withdraw() {
        for (long ordinal = sent - 1; ordinal >= taken; ordinal--) {
            at(ordinal).withdrawn();
        }
    }

    /** Gives up what was not taken; returns how many calls that were. */
    long discard() {
        long left = unclaimed();
        for (; taken < sent; taken++) {
            at(taken).discard();
        }
        release();
        return left;
    }

    private SentCall at(long ordinal) {
        return requireNonNull(calls[place(ordinal)]);
    }

    private int place(long ordinal) {
        return (int) ordinal & calls.length - 1;
    }

    private void grow() {
        @Nullable SentCall[] larger = new SentCall[2 * calls.length];
        for (long ordinal = base; ordinal < sent; ordinal++) {
            larger[(int) ordinal & larger.length - 1] = calls[place(ordinal)];
        }
        Arrays.fill(calls, null);
        calls = larger;
    }
}
