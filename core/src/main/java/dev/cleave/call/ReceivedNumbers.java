package dev.cleave.call;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import java.util.Arrays;

/**
 * Says of the number of each REQUEST that comes over a connection whether it has come before, so that no request is executed
 * twice, whatever doubles frames on the way.
 *
 * <p>A caller gives its requests consecutive numbers from 1, and may write them in another order: its threads write as they
 * are run. Kept are the next number and the ranges of lower numbers that have not come; so a request that comes in order costs
 * one comparison, and one that is late by any time is known from one that has come twice. There are at most {@value #MOST}
 * ranges: when there are more, the lowest is forgotten, and of the numbers up to its end nothing is known any more.
 *
 * <p>Event thread of the connection only.
 */
public final class ReceivedNumbers {

    /** The most ranges of numbers that have not come. */
    static final int MOST = 256;

    private static final int FEW = 4;
    private static final int MOST_KEPT = 64; // of missing, while there are none
    private static final long[] NONE = {};

    private long next = 1;
    private long[] missing = NONE; // in ascending order: the first number of each range, and the one after its last
    private int used; // of missing, even
    private long known; // of no lower number is it known whether it has come

    /** No number has come yet. */
    public ReceivedNumbers() {}

    /**
     * A request has come; false if its number has come before, and nothing is to be done.
     *
     * @throws WireException if it cannot be known whether it has
     */
    public boolean isFirst(long number) {
        if (number == next && number < Long.MAX_VALUE) {
            next++;
            return true;
        }
        return isFirstOutOfOrder(number);
    }

    private boolean isFirstOutOfOrder(long number) {
        if (number < 1 || number == Long.MAX_VALUE) {
            throw new WireException(ErrorCode.PROTOCOL, "call id: " + number + " (expected: from 1)");
        }
        if (number > next) {
            add(used, next, number);
            next = number + 1;
            return true;
        }
        if (number < known) {
            throw new WireException(
                    ErrorCode.PROTOCOL,
                    "call id: " + number + " (expected: at least " + known
                            + "; of lower ones it is not known any more whether they have come)");
        }
        int at = rangeOf(number);
        if (at < 0) {
            return false;
        }
        take(at, number);
        return true;
    }

    /** Where the range of a number begins; -1 if the number is in none. */
    private int rangeOf(long number) {
        int low = 0;
        int high = used / 2 - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (number < missing[2 * middle]) {
                high = middle - 1;
            } else if (number >= missing[2 * middle + 1]) {
                low = middle + 1;
            } else {
                return 2 * middle;
            }
        }
        return -1;
    }

    /** Takes a number out of its range. */
    private void take(int at, long number) {
        long end = missing[at + 1];
        if (missing[at] < number && number + 1 < end) {
            missing[at + 1] = number;
            add(at + 2, number + 1, end);
        } else if (missing[at] < number) {
            missing[at + 1] = number;
        } else if (number + 1 < end) {
            missing[at] = number + 1;
        } else {
            remove(at);
        }
    }

    private void add(int at, long from, long end) {
        int to = at;
        if (used == 2 * MOST) {
            known = missing[1];
            remove(0);
            to = at - 2;
        }
        if (used == missing.length) {
            missing = Arrays.copyOf(missing, Math.max(FEW, 2 * used));
        }
        System.arraycopy(missing, to, missing, to + 2, used - to);
        missing[to] = from;
        missing[to + 1] = end;
        used += 2;
    }

    private void remove(int at) {
        System.arraycopy(missing, at + 2, missing, at, used - at - 2);
        used -= 2;
        if (used == 0 && missing.length > MOST_KEPT) {
            missing = NONE;
        }
    }

    /** How many ranges have not come. */
    int ranges() {
        return used / 2;
    }
}
