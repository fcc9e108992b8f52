package dev.cleave.migration;

import dev.cleave.wire.CallClaim;

/**
 * How many calls the owner of a queue gives away.
 *
 * <h2>No ping-pong</h2>
 *
 * A part is one of what the owner has more than the receiver, or of what waits if that is less. The receiver never comes to
 * what the owner had before: the sum of the squares of the two loads falls with every move, so that moves come to an end
 * unless calls come or go. With a part of at most a half the two then differ by at most one in the receiver's favour, and
 * nothing moves back, for a move needs a difference of two.
 *
 * <h2>Epochs</h2>
 *
 * A claim that is not newer than the last one, because it came twice or late, gets nothing.
 */
public final class Grants {

    /** The least difference between the loads of owner and receiver at which calls move. */
    public static final int LEAST_DIFFERENCE = 2;

    private long newest;

    /** The most calls to give away to a claim; may be 0. */
    public int most(CallClaim claim, int waiting, int running) {
        if (claim.epoch() <= newest) {
            return 0;
        }
        newest = claim.epoch();
        long difference = (long) waiting + running - claim.receiverLoad();
        if (difference < LEAST_DIFFERENCE) {
            return 0;
        }
        long share = claim.numerator();
        if (claim.denominator() > 0) {
            long of = Math.min(waiting, difference);
            share = (of * claim.numerator() + claim.denominator() - 1) / claim.denominator();
        }
        return (int) Math.min(Math.min(share, waiting), difference - 1);
    }
}
