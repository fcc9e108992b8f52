package dev.cleave.lab.chaos;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.process.ProcessException;
import dev.cleave.broker.report.Json;
import dev.cleave.lab.history.Checker;
import dev.cleave.lab.history.Outcome;
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
import org.jspecify.annotations.Nullable;

/**
 * One run: a large argument, the plain loops, then for some minutes a fault every ten seconds while others call, then the verdict.
 *
 * @param seed of the order of the faults
 * @param minutes how long faults go on; 0 for the loops alone
 * @param callsPerSecond of all callers together
 * @param relayMib what is relayed through a small broker, 0 for nothing
 * @param directory where the processes write
 */
public record ChaosRun(long seed, double minutes, int callsPerSecond, int relayMib, Path directory) {

    /** The deadline of each call, as the services are bound. */
    private static final Duration DEADLINE = Duration.ofSeconds(10);

    /** The most times that a call is sent: a promise, not what production happens to do. */
    private static final int MOST_SENT = 3;

    private static final Duration PERIOD = Duration.ofSeconds(10);

    /** The calls of each caller while one kind of link is cut. */
    private static final int LINK_CALLS = 200;

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
        Findings found = new Findings();
        try (Pauses pauses = Pauses.watching()) {
            if (relayMib > 0) {
                progress.accept(relayMib + " MiB through a small broker");
                found.rows.add(LargeRelay.run(directory.resolve("large"), relayMib));
            }
            progress.accept("all kinds of links are cut");
            found.links(new LinkChaos(seed, null, LINK_CALLS).run());
            progress.accept("loops of " + Loops.CALLS + " calls");
            Loops loops = new Loops(rig, pauses);
            try {
                loops.run(found.rows);
            } finally {
                found.outcomes.addAll(loops.outcomes());
            }
            if (minutes > 0) {
                faults(rig, found, pauses, progress);
            }
        } catch (RuntimeException e) { // a process that does not start, or end: what has been seen until then counts
            found.trouble = "the run broke off: " + e.getMessage();
        }
        return result(found, rig);
    }

    /** What has been seen so far. */
    private static final class Findings {

        private final List<Row> rows = new ArrayList<>();
        private final List<Outcome> outcomes = new ArrayList<>();
        private final List<Long> left = new ArrayList<>(); // calls that have not ended
        private final List<String> links = new ArrayList<>();
        private final List<Checker.Broken> brokenLinks = new ArrayList<>();
        private @Nullable String trouble;

        private void links(LinkChaos.Result result) {
            links.addAll(result.lines());
            brokenLinks.addAll(result.broken());
        }
    }

    private void faults(Rig rig, Findings found, Pauses pauses, Consumer<String> progress) throws InterruptedException {
        Map<Fault, Row> rows = new EnumMap<>(Fault.class);
        for (Fault fault : Fault.values()) {
            rows.put(fault, Row.of(fault));
        }
        found.rows.addAll(rows.values());
        Row calm = new Row("-", "no fault", 1_500, 0);
        calm.injected();
        found.rows.add(calm);
        try (Workload workload = Workload.start(rig, callsPerSecond)) {
            Row last = calm;
            try {
                wait(PERIOD.dividedBy(2));
                take(workload, found, calm, pauses);
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
                            + (end - System.nanoTime()) / 1_000_000_000 + " s left, " + found.outcomes.size()
                            + " calls");
                    long calmAt = System.nanoTime() + PERIOD.toNanos();
                    last = requireNonNull(rows.get(fault));
                    last.injected();
                    fault.inject(rig, replica);
                    wait(Duration.ofNanos(Math.max(PERIOD.toNanos() / 2, calmAt - System.nanoTime())));
                    take(workload, found, last, pauses);
                }
                last = calm;
            } finally {
                found.left.addAll(workload.end(DEADLINE.multipliedBy(2)));
                take(workload, found, last, pauses);
            }
        }
    }

    private static void take(Workload workload, Findings found, Row row, Pauses pauses) {
        row.paused(pauses.take());
        for (Workload.Attempt attempt : workload.take()) {
            found.outcomes.add(attempt.outcome());
            row.add(attempt.outcome(), attempt.direct());
        }
    }

    private Result result(Findings found, Rig rig) throws IOException {
        List<Row> shown = found.rows.stream().filter(row -> !row.isEmpty()).toList();
        Checker checker = new Checker(Probe::resultOf, MOST_SENT, DEADLINE);
        List<Long> made = new ArrayList<>(found.left);
        found.outcomes.forEach(outcome -> made.add(outcome.call()));
        List<Checker.Broken> broken = new ArrayList<>(found.brokenLinks);
        broken.addAll(checker.check(made, found.outcomes, rig.executions()));
        List<String> lines = new ArrayList<>();
        lines.add(Row.head());
        lines.addAll(found.links);
        shown.forEach(row -> lines.add(row.line()));
        broken.forEach(each -> lines.add(each.toString()));
        long rows = shown.stream().filter(row -> !row.isKept()).count();
        boolean kept = broken.isEmpty() && rows == 0 && found.trouble == null;
        if (found.trouble != null) {
            lines.add(found.trouble);
        }
        lines.add(found.outcomes.size() + " calls, seed " + seed + ": "
                + (kept
                        ? "every promise was kept"
                        : found.trouble != null && broken.isEmpty() && rows == 0
                                ? "no promise was broken until then"
                                : broken.size() + " calls and " + rows + " rows broke a promise, see above"));
        String json = Json.array(shown.stream().map(Row::json).toList());
        return new Result(lines, json, kept);
    }

    private static void wait(Duration duration) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(duration.toNanos());
    }
}
