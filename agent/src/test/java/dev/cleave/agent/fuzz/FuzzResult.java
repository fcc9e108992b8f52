package dev.cleave.agent.fuzz;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What came of some programs. All of it are types of the platform, so that it passes between class loaders.
 *
 * @param programs how many were generated, rewritten and run
 * @param runs how often their rewritten forms were run
 * @param mostInFlight the most calls that any run had in flight
 * @param stranded for how many strands sent calls
 * @param looking for how many strands went on with the results of calls
 * @param verdicts how many calls ended in each verdict, by its name
 * @param shapes in how many programs each shape occurs
 * @param divergences what differed
 */
public record FuzzResult(
        int programs,
        int runs,
        int mostInFlight,
        int stranded,
        int looking,
        Map<String, Integer> verdicts,
        Map<String, Integer> shapes,
        List<Divergence> divergences) {

    /**
     * A program that does not do rewritten what it does as written.
     *
     * @param seed of the program
     * @param differences all of them, with the settings in which they were seen
     */
    public record Divergence(long seed, String differences) {}

    /** Nothing yet. */
    public static final FuzzResult NONE = new FuzzResult(0, 0, 0, 0, 0, Map.of(), Map.of(), List.of());

    /** Both. */
    public FuzzResult with(FuzzResult other) {
        List<Divergence> all = new ArrayList<>(divergences);
        all.addAll(other.divergences);
        return new FuzzResult(
                programs + other.programs,
                runs + other.runs,
                Math.max(mostInFlight, other.mostInFlight),
                stranded + other.stranded,
                looking + other.looking,
                sum(verdicts, other.verdicts),
                sum(shapes, other.shapes),
                all);
    }

    /** How many calls ended in a verdict. */
    public int count(String verdict) {
        return verdicts.getOrDefault(verdict, 0);
    }

    private static Map<String, Integer> sum(Map<String, Integer> a, Map<String, Integer> b) {
        Map<String, Integer> sum = new TreeMap<>(a);
        b.forEach((key, count) -> sum.merge(key, count, Integer::sum));
        return sum;
    }
}
