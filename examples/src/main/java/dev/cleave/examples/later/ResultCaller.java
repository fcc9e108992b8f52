package dev.cleave.examples.later;

import dev.cleave.node.Node;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.DoubleSupplier;

/**
 * The client of later results, to be run with the agent. Obeys the lines {@code USE SIZE NETWORK} ({@link Prompt}) with {@code
 * TRANSFER WITH WITHOUT COMPUTE}, in seconds: how long the array takes to come, the program with later results, the same program at
 * services without, and without any transfer.
 */
public final class ResultCaller {

    private static final int WARM_UP = 3;
    private static final int WARM_UP_COUNT = 50 * 50; // just enough to come later
    private static final int TRIAL_STEPS = 8;
    private static final long TRIAL_NANOS = 20_000_000;
    private static final int MOST_STEPS = 100_000;
    private static final int MOST_PAIRS = 9;
    private static final long LONG_NANOS = 50_000_000; // what takes so long need not be measured often

    /** The cases that are measured without later results first when they come next: who is second finds more compiled. */
    private static final Set<String> WITHOUT_FIRST = new HashSet<>();

    private ResultCaller() {}

    /** Takes no arguments. */
    public static void main(String[] args) throws IOException {
        Prompt.obey(words -> {
            ResultWorkload workload = ResultWorkload.of(words);
            return new Prompt.Task(workload.network(), workload.scale(), node -> measured(workload, node));
        });
    }

    private static String measured(ResultWorkload workload, Node node) {
        return workload.use() == ResultWorkload.Use.RESULT ? result(workload, node) : pipeline(workload, node);
    }

    private static String result(ResultWorkload workload, Node node) {
        Stages later = node.lookup("stage", Stages.class);
        Stages plain = node.lookup("stage-plain", RepeatableStages.class);
        Stages local = new PlainStages();
        int count = workload.count();
        for (int i = 0; i < WARM_UP; i++) {
            ResultUses.consumed(later, Math.min(count, WARM_UP_COUNT), TRIAL_STEPS);
            ResultUses.consumed(plain, Math.min(count, WARM_UP_COUNT), TRIAL_STEPS);
        }
        plain.table(count); // the server's heap has room then
        double transfer = Transfer.seconds(() -> plain.table(1), () -> plain.table(count), count);
        int steps = steps(local, count, transfer, steps(local, count, transfer, TRIAL_STEPS));
        return compared(
                workload,
                transfer,
                () -> ResultUses.consumed(later, count, steps),
                () -> ResultUses.consumed(plain, count, steps),
                () -> ResultUses.consumed(local, count, steps));
    }

    /**
     * Finds the number of steps with each element that take a time, by a trial of about this number of steps: the cost
     * of a step grows with their number.
     */
    private static int steps(Stages local, int count, double seconds, int trial) {
        long begin = System.nanoTime();
        long least = Long.MAX_VALUE;
        for (long now = begin; now - begin < TRIAL_NANOS; ) {
            ResultUses.consumed(local, count, trial);
            long then = System.nanoTime();
            least = Math.min(least, then - now);
            now = then;
        }
        return (int) Math.max(1, Math.min(MOST_STEPS, Math.round(seconds * 1e9 / least * trial)));
    }

    private static String pipeline(ResultWorkload workload, Node node) {
        Stages later = node.lookup("stage", Stages.class);
        Stages plain = node.lookup("stage-plain", RepeatableStages.class);
        Stages laterNext = node.lookup("next", Stages.class);
        Stages plainNext = node.lookup("next-plain", Stages.class);
        Stages local = new PlainStages();
        double[] values = local.table(workload.count());
        double[] few = local.table(Math.min(workload.count(), WARM_UP_COUNT));
        for (int i = 0; i < WARM_UP; i++) {
            ResultUses.piped(later, laterNext, few);
            ResultUses.piped(plain, plainNext, few);
        }
        plain.take(values);
        plainNext.take(values);
        double[] none = new double[1];
        double transfer = Transfer.seconds(() -> plain.take(none), () -> plain.take(values), values.length);
        return compared(
                workload,
                transfer,
                () -> ResultUses.piped(later, laterNext, values),
                () -> ResultUses.piped(plain, plainNext, values),
                () -> ResultUses.piped(local, local, values));
    }

    /** Short programs are run several times. */
    private static String compared(
            ResultWorkload workload,
            double transfer,
            DoubleSupplier with,
            DoubleSupplier without,
            DoubleSupplier local) {
        Timed compute = Timed.of(local);
        List<Double> withs = new ArrayList<>();
        List<Double> withouts = new ArrayList<>();
        long begin = System.nanoTime();
        do {
            boolean isWithoutFirst = WITHOUT_FIRST.remove(workload.label()) || !WITHOUT_FIRST.add(workload.label());
            Timed first = Timed.of(isWithoutFirst ? without : with);
            Timed second = Timed.of(isWithoutFirst ? with : without);
            Timed ours = isWithoutFirst ? second : first;
            Timed theirs = isWithoutFirst ? first : second;
            Prompt.same(workload, ours.sum, "with later results", compute.sum);
            Prompt.same(workload, theirs.sum, "without later results", compute.sum);
            withs.add(ours.seconds);
            withouts.add(theirs.seconds);
        } while (withs.size() < MOST_PAIRS && System.nanoTime() - begin < LONG_NANOS);
        return String.format(
                Locale.ROOT,
                "%.9f %.9f %.9f %.9f",
                transfer,
                Transfer.middle(withs),
                Transfer.middle(withouts),
                compute.seconds);
    }

    /**
     * The time and the result of a program.
     *
     * @param seconds the whole program
     * @param sum its result
     */
    private record Timed(double seconds, double sum) {

        static Timed of(DoubleSupplier program) {
            long begin = System.nanoTime();
            double sum = program.getAsDouble();
            return new Timed((System.nanoTime() - begin) / 1e9, sum);
        }
    }
}
