package dev.cleave.lab.simulation;

import dev.cleave.lab.history.Checker.Broken;
import dev.cleave.lab.history.Checker.Invariant;
import dev.cleave.lab.history.Planted;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Looks for planted defects: runs clusters that have one until a promise is broken that it breaks.
 *
 * @param firstSeed of the first cluster
 * @param mostSeeds how many clusters are run before a defect is given up as missed
 */
public record PlantedDefects(long firstSeed, int mostSeeds) {

    /**
     * The cluster that detected a defect.
     *
     * @param seed of the cluster
     * @param schedule its kind of faults
     * @param broken the promises that were broken there
     */
    public record Caught(long seed, String schedule, Set<Invariant> broken) {

        /** Copies its components. */
        public Caught {
            broken = Collections.unmodifiableSet(EnumSet.copyOf(broken));
        }
    }

    /** Finds the first cluster that detects a defect; null if none does. */
    public @Nullable Caught look(Planted planted) {
        for (long seed = firstSeed; seed < firstSeed + mostSeeds; seed++) {
            Simulation.Result result = new Simulation(seed, planted).run();
            Set<Invariant> broken = EnumSet.noneOf(Invariant.class);
            result.broken().stream().map(Broken::invariant).forEach(broken::add);
            if (!Collections.disjoint(broken, planted.breaks())) {
                return new Caught(seed, result.schedule(), broken);
            }
        }
        return null;
    }
}
