package dev.cleave.wire;

import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * 128 bits that name a connection in {@link Settled} and {@link Recall}. The side that dials draws them at random, and only the two ends
 * of the connection know them: they prove that a peer that asks for the outcome of a call is its caller.
 *
 * @param high one half
 * @param low the other half
 */
public record ConnectionName(long high, long low) {

    /** The length of a name in a frame. */
    public static final int BYTES = 2 * Long.BYTES;

    /** The absent name. */
    public static final ConnectionName NONE = new ConnectionName(0, 0);

    private static final SecureRandom RANDOM = new SecureRandom();

    /** Draws a name that cannot be guessed. */
    public static ConnectionName random() {
        return new ConnectionName(RANDOM.nextLong(), RANDOM.nextLong() | 1); // never NONE
    }

    static ConnectionName read(FrameReader in) {
        return new ConnectionName(in.bits64(), in.bits64());
    }

    /** Whether it names no connection. */
    public boolean isNone() {
        return equals(NONE);
    }

    /** Compares both halves in any case, so that the duration does not reveal where two names differ. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ConnectionName name && ((high ^ name.high) | (low ^ name.low)) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(high ^ low);
    }

    /** Does not show the bits: readers of a log must not learn them. */
    @Override
    public String toString() {
        return isNone() ? "none" : "secret";
    }
}
