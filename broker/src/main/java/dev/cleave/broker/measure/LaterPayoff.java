package dev.cleave.broker.measure;

import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/**
 * The result for one parameter: medians of its samples, the paper's gain, and whether {@code @Later} pays.
 *
 * <p>The gain is that of the C++// paper: the time that a call saves by {@code @Later}, divided by the time of the
 * transfer. Both times of a call come from the same recorded calls: without {@code @Later} a call would have waited for
 * the whole transfer before it began, and not at all later.
 *
 * @param place service, method and parameter
 * @param later whether the parameter was {@code @Later} in these calls
 * @param calls the number of calls
 * @param bytes the size of the argument
 * @param transfer milliseconds, as all following times
 * @param before the time that the method runs before it needs the argument: the paper's d1
 * @param behind the rest of its time, without waits: the paper's d2
 * @param with the time of a call at the server with {@code @Later}
 * @param without the time of a call at the server without
 */
public record LaterPayoff(
        String place,
        boolean later,
        int calls,
        long bytes,
        double transfer,
        double before,
        double behind,
        double with,
        double without) {

    /** A saving below this fraction of a call is within the variation of calls. */
    private static final double WORTH = 0.02;

    /** Returns a result for each parameter in the samples; the one with the greatest saving comes first. */
    public static List<LaterPayoff> of(List<Sample> samples) {
        return samples.stream()
                .collect(Collectors.groupingBy(sample -> sample.place() + sample.later()))
                .values()
                .stream()
                .map(LaterPayoff::median)
                .sorted(Comparator.comparingDouble(LaterPayoff::possible)
                        .reversed()
                        .thenComparing(LaterPayoff::place))
                .toList();
    }

    private static LaterPayoff median(List<Sample> samples) {
        Sample first = samples.get(0);
        double with = first.later()
                ? millis(samples, Sample::total)
                : millis(samples, sample -> Math.max(sample.transfer(), sample.duration()));
        return new LaterPayoff(
                first.place(),
                first.later(),
                samples.size(),
                (long) (millis(samples, Sample::bytes) * 1e6),
                millis(samples, Sample::transfer),
                millis(samples, Sample::before),
                millis(samples, sample -> Math.max(0, sample.duration() - sample.waited() - sample.before())),
                with,
                first.later() ? millis(samples, Sample::totalWithout) : millis(samples, Sample::total));
    }

    private static double millis(List<Sample> samples, ToLongFunction<Sample> of) {
        long[] sorted = samples.stream().mapToLong(of).sorted().toArray();
        int middle = sorted.length / 2;
        return (sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2.0) / 1e6;
    }

    /** The paper's G. */
    public double gain() {
        return transfer == 0 ? 0 : (without - with) / transfer;
    }

    /** The milliseconds of a call that {@code @Later} saves, or could save at most. */
    public double possible() {
        return without - with;
    }

    /** Whether the saving is more than the variation of calls. */
    public boolean pays() {
        return possible() > WORTH * without;
    }

    /** The result as one sentence. */
    public String sentence() {
        String saves = String.format(
                Locale.ROOT, "%.3g of %.3g ms a call (%.0f %%)", possible(), without, 100 * possible() / without);
        if (later) {
            return pays()
                    ? "@Later pays here: it saves " + saves + "."
                    : "@Later does not pay here: it saves " + saves
                            + "; later: [] in the application file switches it off.";
        }
        return pays()
                ? "@Later may pay here: if the method needs it late, it saves up to " + saves
                        + ". Mark it, or name it in later: of the application file, and measure again."
                : "@Later would not pay here: it saves at most " + saves + ".";
    }
}
