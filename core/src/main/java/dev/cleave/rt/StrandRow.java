package dev.cleave.rt;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Handle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls that a strand has sent for one call of the program's text, by ordinal: the first time that the program
 * comes to that call, the second and so on. Each is kept until the program has taken it and every strand that needs its
 * result has looked at it.
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
    private long done; // calls with lower ordinals have ended
    private boolean isUnflushed;
    private boolean keeps;
    private @Nullable ArrayDeque<Object> keys; // of the calls that were not taken, if they are sent for keys

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

    /**
     * Adds a strand that needs the results.
     *
     * @param asArrived whether it needs them as they have arrived, and the program may change them
     */
    void addLooker(Strand looker, boolean asArrived) {
        lookers.add(looker);
        keeps |= asArrived;
    }

    Strand sender() {
        return sender;
    }

    int window() {
        return window;
    }

    /** Whether no call was sent for the program's next call. */
    boolean isBehind() {
        return sent == taken;
    }

    /** Returns how many calls wait for the program. */
    long unclaimed() {
        return sent - taken;
    }

    /** Returns how many calls are in flight: the call that the program awaits, and those after the first that has not ended. */
    long inFlight() {
        done = Math.max(done, taken);
        while (done < sent && at(done).isDone()) {
            done++;
        }
        boolean isAwaited = current != null && !current.isDone();
        return sent - done + (isAwaited ? 1 : 0);
    }

    /** Returns the first call that has not ended among those that the program has not reached, null if all have. */
    @Nullable
    Handle oldestInFlight() {
        return inFlight() == 0 || done == sent ? null : at(done).handle();
    }

    /** Returns the call sent for an ordinal, null if none was yet. */
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

    /** Records the key for which the last call was sent. */
    void addKey(Object key) {
        if (keys == null) {
            keys = new ArrayDeque<>();
        }
        keys.add(key);
    }

    /** Whether the next call was sent for a key. */
    boolean isForKey(@Nullable Object key) {
        return unclaimed() > 0 && keys != null && key != null && key.equals(keys.peek());
    }

    /** Whether the next call is one that was sent for a pass. */
    boolean isFor(long pass) {
        return unclaimed() > 0 && at(taken).iteration() == pass;
    }

    /** Takes the next call: the program comes to it. */
    SentCall take() {
        SentCall call = at(taken);
        taken++;
        if (keys != null) {
            keys.poll();
        }
        current = call;
        if (keeps && isLookedAt(taken - 1)) {
            call.keeps();
        }
        release();
        call.taken();
        return call;
    }

    /** Whether a strand has yet to look at a result. */
    private boolean isLookedAt(long ordinal) {
        return lookers.stream().anyMatch(looker -> !looker.hasEnded() && looker.looked(number) <= ordinal);
    }

    /** A copy of the result of an ordinal as it has arrived, null if none was kept. */
    @Nullable
    Object kept(long ordinal) {
        return ordinal < sent ? at(ordinal).kept() : null;
    }

    /** Records that the program has gone on behind the call that it took last. */
    void passed() {
        current = null;
    }

    /** Whether it is known of an ordinal that it has a result, or never will have one. */
    boolean isKnown(long ordinal) {
        if (ordinal >= sent) {
            return sender.hasEnded();
        }
        SentCall call = at(ordinal);
        return isBehindProgram(ordinal, call)
                || call.handle().isDone() && !call.handle().isRefusedForNow();
    }

    /** Returns the handle with the result of a known ordinal in a pass; null if there is none. */
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

    /** Flushes the calls that were written to the connection. */
    void flush() {
        if (isUnflushed && sent > base) {
            at(sent - 1).handle().hurry();
        }
        isUnflushed = false;
    }

    /** Forgets the calls that neither the program nor a strand needs. */
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

    /** Asks the servers not to begin the calls that were not taken, the last one first. */
    void withdraw() {
        for (long ordinal = sent - 1; ordinal >= taken; ordinal--) {
            at(ordinal).withdrawn();
        }
    }

    /** Gives up the calls that were not taken; returns how many. */
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
