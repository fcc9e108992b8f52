package dev.cleave.rt;

import static java.util.Objects.requireNonNull;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The value that an activation of a method which calls itself returns, as its strand computes it ahead of the program (R72). Confined
 * to one thread.
 */
final class StrandValue {

    /** The value of an activation that no strand gives. */
    static final StrandValue NONE = new StrandValue(null);

    private final @Nullable Strand giver;
    private boolean isGiven;
    private @Nullable Object value;

    /**
     * Prepares it.
     *
     * @param giver the strand that computes it, null if none does
     */
    StrandValue(@Nullable Strand giver) {
        this.giver = giver;
    }

    void give(@Nullable Object given) {
        isGiven = true;
        value = given;
    }

    boolean isGiven() {
        return isGiven;
    }

    /** The strand that may still give it, null if there is none. */
    @Nullable
    Strand open() {
        return isGiven || giver == null || giver.hasEnded() ? null : giver;
    }

    @Nullable
    Object get() {
        return value;
    }

    /** The values of the activations that one call of the program's text begins, from the first one that is still looked at. */
    static final class Row {

        private @Nullable Deque<StrandValue> values; // null unless a strand looks at them
        private final Strand beginner;
        private final List<Strand> lookers = new ArrayList<>(0);
        private long first;

        /**
         * Prepares it.
         *
         * @param beginner the strand that begins the activations
         */
        Row(Strand beginner) {
            this.beginner = beginner;
        }

        Strand beginner() {
            return beginner;
        }

        void addLooker(Strand looker) {
            lookers.add(looker);
            values = values == null ? new ArrayDeque<>(4) : values;
        }

        /** Adds the value of an activation that was begun. */
        void add(StrandValue value) {
            if (values != null) {
                values.add(value);
            }
        }

        /** Whether it is known of an ordinal that it has a value, or never will have one. */
        boolean isKnown(long ordinal) {
            StrandValue value = at(ordinal);
            return value == null ? beginner.hasEnded() : value.open() == null;
        }

        /** Returns a known value; null if there is none. */
        @Nullable
        StrandValue of(long ordinal) {
            StrandValue value = at(ordinal);
            return value != null && value.isGiven() ? value : null;
        }

        private Deque<StrandValue> all() {
            return requireNonNull(values, "no strand looks at the values");
        }

        private @Nullable StrandValue at(long ordinal) {
            long skip = ordinal - first;
            for (StrandValue value : all()) {
                if (skip-- == 0) {
                    return value;
                }
            }
            return null;
        }

        /** Forgets values that all of these strands have looked at. */
        void release(int row) {
            long least = Long.MAX_VALUE;
            for (Strand looker : lookers) {
                least = Math.min(least, looker.hasEnded() ? Long.MAX_VALUE : looker.looked(row));
            }
            while (first < least && all().poll() != null) {
                first++;
            }
        }
    }
}
