package dev.cleave.call;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import java.util.Arrays;

/**
 * Says whether the number of a REQUEST has come over the connection before, so that no request is executed twice if
 * frames are doubled on the way.
 *
 * <p>A caller gives its requests consecutive numbers from 1, and may write them in another order, since several
 * threads write. This class keeps the next number and the ranges of lower numbers that have not come. So a request in
 * order costs one comparison, and a late request is told from a doubled one however late it is. There are at most
 * {@value #MOST} ranges: one more makes it forget the lowest range, and refuse the numbers up to its end.
 *
 * <p>Event thread of the connection only.
 */
public final class ReceivedNumbers {

    /** The most ranges of numbers that have not come. */
    static final int MOST = 256;

    private static final int FEW = 4;
    private static final int MOST_KEPT = 64; // most entries of missing that are kept while no range is open
    private static final long[] NONE = {};

    private long next = 1;
    private long[] missing = NONE; // in ascending order: the first number of each range, and the number after its last
    private int used; // entries of missing, even
    private long known; // of lower numbers it is not known whether they have come

    /** Creates a record without numbers. */
    public ReceivedNumbers() {}

    /**
     * Records the number of a request; returns false if it has come before, and the request is to be dropped.
     *
     * @throws WireException if it is not known any more whether the number has come
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

    /** Returns where the range of a number begins; -1 if the number is in none. */
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

    /** Returns the number of ranges that have not come. */
    int ranges() {
        return used / 2;
    }
}
