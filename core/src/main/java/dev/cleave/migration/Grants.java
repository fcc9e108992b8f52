package dev.cleave.migration;

import static java.util.Objects.requireNonNull;

import dev.cleave.metrics.Refusals;
import dev.cleave.wire.CallClaim;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

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
     *
     * <p>Tokens follow the time of day in ms. One that is more than {@link #MOST_AHEAD} ahead of it is refused and forgotten: it would
     * make all later ones look old.
     */
    public static final class Fences {

        /** How far the clock of the broker that has made a token may be ahead. */
        public static final Duration MOST_AHEAD = Duration.ofMinutes(10);

        private final Map<String, Long> newest = new ConcurrentHashMap<>(0);
        private final LongSupplier millis;

        /** Creates fences that have seen no token. */
        public Fences() {
            this(System::currentTimeMillis);
        }

        /**
         * Creates fences that have seen no token.
         *
         * @param millis the time in ms since 1970
         */
        public Fences(LongSupplier millis) {
            this.millis = requireNonNull(millis, "millis");
        }

        /** Whether a token can have been made by a time in ms since 1970. */
        public static boolean isPossible(long fence, long millis) {
            return fence <= millis + MOST_AHEAD.toMillis();
        }

        /**
         * Whether a token of a service is possible and not older than those before; counts the refusal if it is not.
         *
         * @param service one of a few that are known here: a name takes memory
         * @param fence 0 from a broker that is alone, which is never refused
         */
        public boolean takes(String service, long fence) {
            if (fence == 0
                    || isPossible(fence, millis.getAsLong()) && newest.merge(service, fence, Math::max) == fence) {
                return true;
            }
            Refusals.count("migration.fence");
            return false;
        }
    }
}
