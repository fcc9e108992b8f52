package dev.cleave.call;

import dev.cleave.wire.ConnectionName;
import org.jspecify.annotations.Nullable;

/**
 * A Bloom filter of 128 KiB that holds, for ever, the names of all connections whose outcomes were forgotten. It may
 * report a name that was not added, one in a hundred when it holds 100,000; it never misses one that was. Not
 * thread-safe.
 */
final class ForgottenNames {

    private static final int BITS_LOG = 20;
    private static final int HASHES = 7;

    private long @Nullable [] bits; // null while there are none

    /** Adds a name. */
    void add(ConnectionName name) {
        long[] all = bits;
        if (all == null) {
            all = new long[(1 << BITS_LOG) / Long.SIZE];
            bits = all;
        }
        for (int i = 0; i < HASHES; i++) {
            int bit = bit(name, i);
            all[bit / Long.SIZE] |= 1L << bit;
        }
    }

    /** Whether a name may have been added; if not, it certainly was not. */
    boolean mayContain(ConnectionName name) {
        long[] all = bits;
        if (all == null) {
            return false;
        }
        for (int i = 0; i < HASHES; i++) {
            int bit = bit(name, i);
            if ((all[bit / Long.SIZE] & 1L << bit) == 0) {
                return false;
            }
        }
        return true;
    }

    /** Returns the place of a name for one of the hashes; the bits of names are random. */
    private static int bit(ConnectionName name, int hash) {
        return (int) (name.high() + hash * name.low() >>> Long.SIZE - BITS_LOG);
    }
}
