package dev.cleave.lab.chaos;

import dev.cleave.lab.history.Checker.Broken;
import dev.cleave.lab.history.Checker.Invariant;
import dev.cleave.lab.history.Planted;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for planted defects: cuts the links of real nodes that have one, until a promise is broken that it breaks.
 *
 * @param firstSeed of the first run
 * @param mostSeeds how many runs there are before a defect is given up as missed
 */
public record PlantedChaos(long firstSeed, int mostSeeds) {

    private static final int CALLS = 40;

    /** The defects that show in frames or in what a server does, and can be put there. */
    private static final Set<Planted> HERE = Collections.unmodifiableSet(EnumSet.of(
            Planted.FORGETS_REPLIES,
            Planted.ANSWER_OF_ANOTHER,
            Planted.RUNNING_IS_NOT,
            Planted.ENDED_IS_NOT,
            Planted.NEVER_RECALLS,
            Planted.RUNS_EXPIRED,
            Planted.LOST_IS_NOT,
            Planted.REQUEST_TWICE,
            Planted.ANSWERED_AHEAD,
            Planted.LOST_UPDATE,
            Planted.STALE_RESULT,
            Planted.RECALLS_THE_NEXT,
            Planted.FORGETS_DOUBT,
            Planted.BELIEVES_EMPTY,
            Planted.CHUNK_TWICE,
            Planted.CHUNK_DROPPED,
            Planted.CALLBACK_TWICE,
            Planted.ONE_WAY_TWICE,
            Planted.GROUP_ORDER,
            Planted.RELEASES_TWICE,
            Planted.RELEASED_EARLY,
            Planted.DISPLACED_SERVES,
            Planted.CANCELLED_IS_NOT));

    /**
     * The run that detected a defect.
     *
     * @param seed of the run
     * @param broken the promises that were broken there
     */
    public record Caught(long seed, Set<Invariant> broken) {

        /** Copies its components. */
        public Caught {
            broken = Collections.unmodifiableSet(EnumSet.copyOf(broken));
        }
    }

    /** The defects that can be put into real nodes; the others only into simulated ones. */
    public static Set<Planted> plants() {
        return HERE;
    }

    /** Finds the first run that detects a defect; null if none does. */
    public @Nullable Caught look(Planted planted) throws InterruptedException {
        for (long seed = firstSeed; seed < firstSeed + mostSeeds; seed++) {
            Set<Invariant> broken = EnumSet.noneOf(Invariant.class);
            new LinkChaos(seed, planted, CALLS)
                    .run().broken().stream().map(Broken::invariant).forEach(broken::add);
            if (!Collections.disjoint(broken, planted.breaks())) {
                return new Caught(seed, broken);
            }
        }
        return null;
    }
}
