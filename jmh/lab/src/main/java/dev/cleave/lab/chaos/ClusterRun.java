package dev.cleave.lab.chaos;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.process.ProcessException;
import dev.cleave.broker.report.Json;
import dev.cleave.broker.report.TextTable;
import dev.cleave.lab.history.Checker;
import dev.cleave.lab.history.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Some minutes in which a cluster of brokers, its store and its servers are broken and cut from each other while others
 * call; then the verdict.
 *
 * @param seed of the order of the faults
 * @param minutes how long faults go on
 * @param callsPerSecond of all callers together
 * @param only the ids of the faults; none for all
 * @param directory where the processes write
 */
public record ClusterRun(long seed, double minutes, int callsPerSecond, List<String> only, Path directory) {

    private static final Duration DEADLINE = Duration.ofSeconds(10);
    private static final int MOST_SENT = 3;
    private static final Duration CALM = Duration.ofSeconds(3);

    /** Copies its components. */
    public ClusterRun {
        only = List.copyOf(only);
    }

    /** The ids of all faults. */
    public static List<String> faults() {
        return Arrays.stream(ClusterFault.values()).map(ClusterFault::id).toList();
    }

    /**
     * Runs; comes to a verdict in any case.
     *
     * @param progress told what happens
     */
    public ChaosRun.Result run(Consumer<String> progress) throws IOException, InterruptedException {
        progress.accept("starting " + ClusterRig.NODES + " nodes of ZooKeeper, " + ClusterRig.BROKERS + " brokers and "
                + ClusterRig.SERVERS + " servers");
        try (ClusterRig rig = ClusterRig.start(directory);
                Pauses pauses = Pauses.watching()) {
            return new Running(rig, pauses, progress).run();
        }
    }

    private final class Running {

        private final ClusterRig rig;
        private final Pauses pauses;
        private final Consumer<String> progress;
        private final Map<ClusterFault, Row> rows = new EnumMap<>(ClusterFault.class);
        private final Row calm = new Row("-", "no fault", 0, 0);
        private final List<Outcome> outcomes = new ArrayList<>();
        private final Map<String, Integer> failures = new TreeMap<>(); // how often, by row and text without numbers
        private final List<Long> left = new ArrayList<>();
        private String trouble = "";

        private Running(ClusterRig rig, Pauses pauses, Consumer<String> progress) {
            this.rig = rig;
            this.pauses = pauses;
            this.progress = progress;
            for (ClusterFault fault : ClusterFault.values()) {
                rows.put(fault, new Row(fault.id(), fault.what(), 0, fault.mostInDoubt()));
            }
        }

        private ChaosRun.Result run() throws InterruptedException, IOException {
            calm.injected();
            try {
                long unused = ClusterFault.settle(rig);
                try (Workload workload = Workload.start(rig, callsPerSecond)) {
                    breakAll(workload);
                }
            } catch (ProcessException | IllegalStateException | ClusterFault.PromiseException e) {
                trouble = "the run broke off: " + e.getMessage();
            }
            return result();
        }

        private void breakAll(Workload workload) throws InterruptedException, IOException {
            Random random = new Random(seed);
            long end = System.nanoTime() + (long) (minutes * 60e9);
            List<ClusterFault> next = new ArrayList<>();
            Row last = calm;
            try {
                TimeUnit.NANOSECONDS.sleep(CALM.toNanos());
                take(workload, calm, ClusterFault.Calls.ALL_GO_ON);
                while (System.nanoTime() < end) {
                    if (next.isEmpty()) {
                        next.addAll(possible());
                    }
                    ClusterFault fault = next.remove(random.nextInt(next.size()));
                    last = requireNonNull(rows.get(fault));
                    injectOne(workload, fault, last, random, (end - System.nanoTime()) / 1_000_000_000);
                    last = calm;
                }
            } finally {
                left.addAll(workload.end(DEADLINE.multipliedBy(2)));
                take(workload, last, ClusterFault.Calls.IDEMPOTENT_GO_ON);
            }
        }

        private List<ClusterFault> possible() {
            return Arrays.stream(ClusterFault.values())
                    .filter(fault -> only.isEmpty() || only.contains(fault.id()))
                    .filter(fault -> rig.canCut() || !fault.needsNetwork() || only.contains(fault.id()))
                    .toList();
        }

        private void injectOne(Workload workload, ClusterFault fault, Row row, Random random, long secondsLeft)
                throws InterruptedException, IOException {
            int server = random.nextInt(ClusterRig.SERVERS);
            int home = rig.homeOf(server);
            int broker = home < 0 ? random.nextInt(ClusterRig.BROKERS) : home; // one that has servers
            progress.accept(fault.id() + " " + fault.what() + " (broker-" + broker + ", r" + server + "); "
                    + Math.max(0, secondsLeft) + " s left, " + outcomes.size() + " calls");
            row.injected();
            try {
                String note = fault.inject(rig, broker, server);
                long millis = ClusterFault.settle(rig);
                row.note((note.isEmpty() ? "" : note + ", ") + "all agree after " + millis + " ms");
            } catch (ClusterFault.PromiseException e) {
                row.broke();
                row.note(String.valueOf(e.getMessage()));
            }
            TimeUnit.NANOSECONDS.sleep(CALM.toNanos());
            take(workload, row, fault.calls());
        }

        private void take(Workload workload, Row row, ClusterFault.Calls goOn) {
            row.paused(pauses.take());
            int failedPlain = 0;
            int failedRelayed = 0;
            for (Workload.Attempt attempt : workload.take()) {
                Outcome outcome = attempt.outcome();
                outcomes.add(outcome);
                if (attempt.failure() != null) {
                    failures.merge(row.id() + " " + failureOf(attempt), 1, Integer::sum);
                }
                row.add(outcome, attempt.direct());
                boolean isFailed = outcome.end() != Outcome.End.OK;
                failedPlain += isFailed && attempt.direct() && !outcome.idempotent() ? 1 : 0;
                failedRelayed += isFailed && !attempt.direct() ? 1 : 0;
            }
            boolean isBroken = goOn != ClusterFault.Calls.IDEMPOTENT_GO_ON && failedPlain > 0
                    || goOn == ClusterFault.Calls.ALL_GO_ON && failedRelayed > 0;
            if (failedPlain > 0 || failedRelayed > 0) {
                row.note(failedPlain + " plain direct and " + failedRelayed + " relayed calls failed");
            }
            if (isBroken) {
                row.broke();
            }
        }

        private static String failureOf(Workload.Attempt attempt) {
            String text = String.valueOf(requireNonNull(attempt.failure()).getMessage());
            return (attempt.direct() ? "direct, " : "relayed, ")
                    + (attempt.outcome().idempotent() ? "idempotent: " : "plain: ")
                    + text.replaceAll("[0-9a-f]{8,}", "#").replaceAll("[0-9]+", "#");
        }

        private ChaosRun.Result result() throws IOException {
            List<Row> shown = new ArrayList<>(List.of(calm));
            rows.values().stream().filter(row -> !row.isEmpty()).forEach(shown::add);
            List<Long> made = new ArrayList<>(left);
            outcomes.forEach(outcome -> made.add(outcome.call()));
            List<Checker.Broken> broken =
                    new Checker(Probe::resultOf, MOST_SENT, DEADLINE).check(made, outcomes, rig.executions());
            TextTable table = Row.heads();
            shown.forEach(row -> table.add(row.cells().toArray(String[]::new)));
            List<String> lines = new ArrayList<>(table.lines());
            failures.forEach((what, times) -> lines.add("  " + times + " x " + what));
            broken.forEach(each -> lines.add(each.toString()));
            if (!rig.canCut()) {
                lines.add("nothing was cut: that needs root and the command ip (network namespaces)");
            }
            if (!trouble.isEmpty()) {
                lines.add(trouble);
            }
            long rowsBroken = shown.stream().filter(row -> !row.isKept()).count();
            boolean kept = broken.isEmpty() && rowsBroken == 0 && trouble.isEmpty();
            lines.add(outcomes.size() + " calls, seed " + seed + ": "
                    + (kept
                            ? "every promise was kept"
                            : broken.size() + " calls and " + rowsBroken + " rows broke a promise, see above"));
            return new ChaosRun.Result(
                    lines, Json.array(shown.stream().map(Row::json).toList()), kept);
        }
    }
}
