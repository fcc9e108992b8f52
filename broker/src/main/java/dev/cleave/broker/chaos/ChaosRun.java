package dev.cleave.broker.chaos;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.history.Checker;
import dev.cleave.broker.history.Outcome;
import dev.cleave.broker.process.ProcessException;
import dev.cleave.replica.Attempts;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * One run: the plain loops, then for some minutes a fault every ten seconds while others call, then the verdict.
 *
 * @param seed of the order of the faults
 * @param minutes how long faults go on; 0 for the loops alone
 * @param callsPerSecond of all callers together
 * @param directory where the processes write
 */
public record ChaosRun(long seed, double minutes, int callsPerSecond, Path directory) {

    /** The deadline of each call, as the services are bound. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    private static final Duration PERIOD = Duration.ofSeconds(10);

    /** The most that all but the faults may take. */
    private static final Duration BESIDES = Duration.ofMinutes(12);

    /**
     * What came of it.
     *
     * @param lines a table for people
     * @param json an array of records, one for each row
     * @param kept whether every promise was kept
     */
    public record Result(List<String> lines, String json, boolean kept) {

        /** Copies its components. */
        public Result {
            lines = List.copyOf(lines);
        }
    }

    /**
     * Runs; comes to a verdict in any case.
     *
     * @param progress told what happens
     */
    public Result run(Consumer<String> progress) throws IOException, InterruptedException {
        progress.accept("starting a broker and " + Rig.REPLICAS + " replicas");
        try (Rig rig = Rig.start(directory)) {
            FutureTask<Result> task = new FutureTask<>(() -> run(rig, progress));
            Thread thread = new Thread(task, "chaos-run");
            thread.setDaemon(true);
            thread.start();
            Duration most = Duration.ofSeconds((long) (minutes * 60)).plus(BESIDES);
            try {
                return task.get(most.toSeconds(), TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                return stuck(most, thread);
            } catch (ExecutionException e) {
                throw new ProcessException("the run broke off: " + e.getCause(), e.getCause());
            }
        }
    }

    private Result stuck(Duration after, Thread thread) {
        List<String> lines = new ArrayList<>();
        lines.add("no end after " + after.toSeconds() + " s, seed " + seed + ": something waits for ever");
        for (StackTraceElement frame : thread.getStackTrace()) {
            lines.add("  at " + frame);
        }
        return new Result(lines, "[]\n", false);
    }

    private Result run(Rig rig, Consumer<String> progress) throws IOException, InterruptedException {
        List<Outcome> outcomes = new ArrayList<>();
        List<Long> left = new ArrayList<>();
        progress.accept("loops of " + Loops.CALLS + " calls");
        Loops loops = new Loops(rig);
        List<Row> rows = new ArrayList<>(loops.run());
        outcomes.addAll(loops.outcomes());
        if (minutes > 0) {
            rows.addAll(faults(rig, outcomes, left, progress));
        }
        return result(rows, outcomes, left, rig);
    }

    private List<Row> faults(Rig rig, List<Outcome> outcomes, List<Long> left, Consumer<String> progress)
            throws InterruptedException {
        Map<Fault, Row> rows = new EnumMap<>(Fault.class);
        for (Fault fault : Fault.values()) {
            rows.put(fault, Row.of(fault));
        }
        Row calm = new Row("-", "no fault", 1_500, false);
        calm.injected();
        try (Workload workload = Workload.start(rig, callsPerSecond)) {
            wait(PERIOD.dividedBy(2));
            take(workload, outcomes, calm);
            Random random = new Random(seed);
            long end = System.nanoTime() + (long) (minutes * 60e9);
            List<Fault> next = new ArrayList<>();
            while (System.nanoTime() < end) {
                if (next.isEmpty()) {
                    next.addAll(List.of(Fault.values()));
                }
                Fault fault = next.remove(random.nextInt(next.size()));
                int replica = random.nextInt(Rig.REPLICAS);
                progress.accept(fault.id() + " " + fault.what() + " (r" + replica + "); "
                        + (end - System.nanoTime()) / 1_000_000_000 + " s left, " + outcomes.size() + " calls");
                long calmAt = System.nanoTime() + PERIOD.toNanos();
                Row row = requireNonNull(rows.get(fault));
                row.injected();
                fault.inject(rig, replica);
                wait(Duration.ofNanos(Math.max(PERIOD.toNanos() / 2, calmAt - System.nanoTime())));
                take(workload, outcomes, row);
            }
            left.addAll(workload.end(DEADLINE.multipliedBy(2)));
            take(workload, outcomes, calm);
        }
        List<Row> all = new ArrayList<>(rows.values());
        all.add(calm);
        return all;
    }

    private static void take(Workload workload, List<Outcome> outcomes, Row row) {
        for (Workload.Attempt attempt : workload.take()) {
            outcomes.add(attempt.outcome());
            row.add(attempt.outcome(), attempt.direct());
        }
    }

    private Result result(List<Row> rows, List<Outcome> outcomes, List<Long> left, Rig rig) throws IOException {
        List<Row> shown = rows.stream().filter(row -> !row.isEmpty()).toList();
        Checker checker = new Checker(Probe::resultOf, Attempts.MOST, DEADLINE);
        List<Long> made = new ArrayList<>(left);
        outcomes.forEach(outcome -> made.add(outcome.call()));
        List<Checker.Broken> broken = checker.check(made, outcomes, rig.executions());
        List<String> lines = new ArrayList<>();
        lines.add(Row.head());
        shown.forEach(row -> lines.add(row.line()));
        broken.forEach(each -> lines.add(each.toString()));
        boolean kept = broken.isEmpty() && shown.stream().allMatch(Row::isKept);
        lines.add(outcomes.size() + " calls, seed " + seed + ": "
                + (kept ? "every promise was kept" : broken.size() + " calls broke a promise, see above"));
        String json = shown.stream().map(Row::json).collect(Collectors.joining(",\n  ", "[\n  ", "\n]\n"));
        return new Result(lines, json, kept);
    }

    private static void wait(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }
}
