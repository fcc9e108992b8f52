package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import org.jspecify.annotations.Nullable;

/**
 * A directed link on which waiting calls may move from one replica to another. A move begins when the owner is
 * overloaded, or when the receiver is underloaded; at least one of the two conditions is given.
 *
 * @param owner where the calls wait
 * @param receiver where they move to
 * @param overload when the owner gives calls away; null if it never does
 * @param underload when the receiver asks for calls; null if it never does
 * @param share how many calls move at a time
 */
public record Linkage(
        String owner,
        String receiver,
        @Nullable LoadCondition overload,
        @Nullable LoadCondition underload,
        Share share) {

    /** Checks its components. */
    public Linkage {
        requireNonNull(owner, "owner");
        requireNonNull(receiver, "receiver");
        requireNonNull(share, "share");
        if (overload == null && underload == null) {
            throw new IllegalArgumentException("overload, underload: neither (expected: at least one)");
        }
    }

    /** Says whether calls are to move, given the last known loads of both replicas. */
    public boolean calls(int ownerLoad, int receiverLoad) {
        return overload != null && overload.holds(ownerLoad) || underload != null && underload.holds(receiverLoad);
    }

    /**
     * How many of the waiting calls move at a time: a fraction of them, rounded up, or a number.
     *
     * @param numerator of the fraction, or the number
     * @param denominator of the fraction, or 0 for a number
     */
    public record Share(int numerator, int denominator) {

        /** The greatest number in a share. */
        public static final int MOST = 1_000_000;

        /** Checks its components. */
        public Share {
            if (numerator < 1 || denominator < 0 || denominator > 0 && numerator > denominator) {
                throw new IllegalArgumentException(
                        "share: " + numerator + "/" + denominator + " (expected: above 0, and a part at most 1)");
            }
        }
    }
}
