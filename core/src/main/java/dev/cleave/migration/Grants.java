package dev.cleave.migration;

import dev.cleave.metrics.Refusals;
import dev.cleave.wire.CallClaim;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Computes how many calls the owner of a queue gives away.
 *
 * <h2>No ping-pong</h2>
 *
 * A fraction is taken of the difference between the loads of owner and receiver, or of the waiting calls if these are
 * fewer. The receiver never reaches the load that the owner had before: the sum of the squares of the two loads falls
 * with every move, so that moves come to an end unless calls come or go. With a fraction of at most a half the
 * receiver's load then exceeds the owner's by at most one, and no call moves back, for a move needs a difference of
 * two.
 *
 * <h2>Epochs</h2>
 *
 * A claim that is not newer than the last one, because it came twice or late, gets nothing.
 */
public final class Grants {

    /** The least difference between the loads of owner and receiver at which calls move. */
    public static final int LEAST_DIFFERENCE = 2;

    private long newest;

    /** Returns the greatest number of calls to give away for a claim; may be 0. */
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

    /**
     * The newest token, for each service, of the brokers that have moved its calls. A claim with an older one is void: another broker
     * moves the calls now, and the one that claims does not know it yet. Thread-safe.
     */
    public static final class Fences {

        private final Map<String, Long> newest = new ConcurrentHashMap<>(0);

        /**
         * Whether a token of a service is not older than those before; counts the refusal if it is.
         *
         * @param service one of a few that are known here: a name takes memory
         * @param fence 0 from a broker that is alone, which is never refused
         */
        public boolean takes(String service, long fence) {
            if (fence == 0 || newest.merge(service, fence, Math::max) == fence) {
                return true;
            }
            Refusals.count("migration.fence");
            return false;
        }
    }
}
