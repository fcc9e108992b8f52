package dev.cleave.broker.advice;

import dev.cleave.config.Balance;
import dev.cleave.config.Bindings;
import dev.cleave.config.ServiceBinding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Predicts from one recorded run what changes of the application file would bring.
 *
 * <h2>The model</h2>
 *
 * A method was called <i>n</i> times. A call took <i>s</i> seconds at its server, and <i>r</i> on its way: what its client was blocked for,
 * without queue and method. The client took <i>c</i> for itself between two calls. Calls in turn take n (c + r + s). Calls sent
 * ahead take as long as the slowest of three, and one round trip at the end: the client, n c; the servers, n s / P; the window, n (r + s)
 * / window. P is the number of calls that may run at the same time: the workers of all replicas, and no more than processors of this
 * machine if methods use them; a method that waits uses none. Replicas of different speed that get equal parts end with the slowest; with
 * {@code pull} they end together.
 *
 * <p>The model knows nothing of what one run does not show: what another route or transport costs, whether the agent can send a call ahead
 * ({@code bin/cleave explain} says it), and caches.
 */
public final class Forecast {

    private static final int WINDOW = 64;
    private static final double LEAST_SAVING = 0.02; // of the run

    private final Trace trace;
    private final Bindings bindings;
    private final int processors;
    private final double seconds;

    /** Figures of one method. */
    private record Load(ServiceBinding service, String method, List<Served> calls, double blocked, double client) {

        int count() {
            return calls.size();
        }

        double running() {
            return calls.stream().mapToDouble(Served::running).average().orElse(0);
        }

        double queued() {
            return calls.stream().mapToDouble(Served::queued).average().orElse(0);
        }

        /** Whether nearly every call came when the one before it had ended: the client waits for each. */
        boolean isInTurn() {
            List<Served> inOrder = calls.stream()
                    .sorted(Comparator.comparingLong(Served::arrived))
                    .toList();
            long last = Long.MIN_VALUE;
            int overlapping = 0;
            for (Served call : inOrder) {
                overlapping += call.arrived() < last ? 1 : 0;
                last = Math.max(last, call.ended());
            }
            return overlapping * 20 < inOrder.size();
        }

        /** The part of the running time for which the method used a processor. */
        double processorShare() {
            double used = calls.stream()
                            .mapToDouble(call -> Math.max(0, call.processor()))
                            .sum()
                    / 1e9;
            double all = calls.stream().mapToDouble(Served::running).sum();
            return all == 0 ? 1 : Math.min(1, used / all);
        }
    }

    /**
     * Creates one.
     *
     * @param trace the recorded run
     * @param bindings the application file of that run
     * @param processors of the machine
     */
    public Forecast(Trace trace, Bindings bindings, int processors) {
        this.trace = trace;
        this.bindings = bindings;
        this.processors = processors;
        this.seconds = trace.seconds();
    }

    /** The changes that would save at least a fiftieth of the run, the greatest saving first. */
    public List<Change> changes() {
        List<Change> changes = new ArrayList<>();
        for (Load load : loads()) {
            sendAhead(load, changes);
            widerWindow(load, changes);
            moreReplicas(load, changes);
            pull(load, changes);
        }
        return changes.stream()
                .filter(change -> seconds - change.seconds() >= LEAST_SAVING * seconds)
                .sorted(Comparator.comparingDouble(Change::seconds))
                .toList();
    }

    private List<Load> loads() {
        List<Load> loads = new ArrayList<>();
        double client = TimeSplit.of(trace).client();
        double all = trace.served().size();
        Map<String, List<Served>> byMethod = trace.served().stream()
                .collect(Collectors.groupingBy(Served::method, TreeMap::new, Collectors.toList()));
        byMethod.forEach((name, calls) -> {
            int dot = name.lastIndexOf('.');
            ServiceBinding service = bindings.services().get(name.substring(0, dot));
            if (service == null || calls.size() < 2) {
                return;
            }
            String method = name.substring(dot + 1);
            double blocked = trace.waited().stream()
                    .filter(wait -> wait.call().endsWith("." + method))
                    .mapToDouble(Waited::seconds)
                    .sum();
            loads.add(new Load(service, method, calls, blocked, client * calls.size() / all));
        });
        return loads;
    }

    private void sendAhead(Load load, List<Change> changes) {
        // A call in turn is blocked for as long as it is at its server, and on its way.
        double calls = load.count();
        double inTurn = calls * (load.running() + load.queued());
        if (!load.isInTurn() || load.blocked() < inTurn * 0.9) {
            return;
        }
        double way = Math.max(0, load.blocked() / calls - load.running() - load.queued());
        double loop = Math.max(
                Math.max(load.client(), work(load, parallel(load, replicas(load)))),
                calls * (way + load.running()) / WINDOW);
        double after = seconds - load.blocked() - load.client() + loop + way + load.running();
        String key = "services." + load.service().name() + ".methods." + load.method();
        changes.add(new Change(
                load.service().name() + "." + load.method() + ": style: async, window: " + WINDOW,
                Map.of(key + ".style", "async", key + ".window", Integer.toString(WINDOW)),
                after,
                String.format(
                        Locale.ROOT,
                        "%d calls in turn, %.3g ms on the way and %.3g ms at the server each",
                        load.count(),
                        way * 1e3,
                        load.running() * 1e3)));
    }

    /** The window stalls the loop where the client is blocked while no call is at a server. */
    private void widerWindow(Load load, List<Change> changes) {
        if (load.isInTurn()) {
            return;
        }
        Integer window = load.service().call(load.method()).window();
        if (window == null || window >= WINDOW) {
            return;
        }
        TimeSplit split = TimeSplit.of(trace);
        double calls = load.count();
        double stalled = split.network() * calls / trace.served().size();
        int wider = Math.min(WINDOW, window * 4);
        changes.add(new Change(
                load.service().name() + "." + load.method() + ": window: " + wider,
                Map.of(
                        "services." + load.service().name() + ".methods." + load.method() + ".window",
                        Integer.toString(wider)),
                seconds - stalled * (1 - (double) window / wider),
                String.format(Locale.ROOT, "blocked for %.3g s while no server had a call", stalled)));
    }

    private void moreReplicas(Load load, List<Change> changes) {
        int now = replicas(load);
        if (load.isInTurn()) {
            return; // one call at a time keeps one replica busy
        }
        double before = work(load, parallel(load, now));
        double after = work(load, parallel(load, now * 2));
        TimeSplit split = TimeSplit.of(trace);
        double saved = Math.min(split.compute(), before - after);
        changes.add(new Change(
                load.service().name() + ": " + now * 2 + " replicas",
                Map.of("replicas:" + load.service().name(), Integer.toString(now * 2)),
                seconds - saved,
                String.format(
                        Locale.ROOT,
                        "%d calls of %.3g ms, %.0f %% of it on a processor",
                        load.count(),
                        load.running() * 1e3,
                        load.processorShare() * 100)));
    }

    private void pull(Load load, List<Change> changes) {
        Map<String, List<Served>> byReplica = load.calls().stream().collect(Collectors.groupingBy(Served::replica));
        if (byReplica.size() < 2 || load.isInTurn() || load.service().dispatch().balance() instanceof Balance.Pull) {
            return;
        }
        double slowest = byReplica.values().stream()
                .mapToDouble(
                        calls -> calls.stream().mapToDouble(Served::running).sum())
                .max()
                .orElse(0);
        double rate = byReplica.values().stream()
                .mapToDouble(calls -> 1
                        / calls.stream().mapToDouble(Served::running).average().orElse(1))
                .sum();
        double workers = workers(load);
        double longest =
                load.calls().stream().mapToDouble(Served::running).max().orElse(0);
        double saved = (slowest - load.count() / rate - longest / 2) / workers;
        changes.add(new Change(
                load.service().name() + ": balance: pull",
                Map.of("services." + load.service().name() + ".balance", "pull"),
                seconds - saved,
                String.format(
                        Locale.ROOT,
                        "the last replica worked %.3g s, all together could have ended after %.3g s",
                        slowest / workers,
                        load.count() / rate / workers)));
    }

    private static double work(Load load, double parallel) {
        return load.count() * load.running() / parallel;
    }

    /** The calls of a method that may run at the same time. */
    private double parallel(Load load, int replicas) {
        double workers = (double) replicas * workers(load);
        double share = load.processorShare();
        return share < 0.05 ? workers : Math.max(1, Math.min(workers, processors / share));
    }

    private static int replicas(Load load) {
        return Math.max(1, load.service().replicas().size());
    }

    private int workers(Load load) {
        Integer workers = load.service().dispatch().workers();
        return workers == null ? processors : workers;
    }
}
