package dev.cleave.broker.advice;

import dev.cleave.config.Balance;
import dev.cleave.config.Bindings;
import dev.cleave.config.ServiceBinding;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Predicts from one recorded run what changes of the application file would bring.
 *
 * <h2>The model</h2>
 *
 * The calls of a method are a {@linkplain LoopModel loop}. The recording says how long each call ran, at which replica, how long it was
 * on its way, and how long the client was not blocked between two calls. The loop is run through in thought as it was and as it would
 * be; the difference, in proportion to the recorded time of the loop, is what a change brings. Methods that use processors run
 * more slowly where more of them run at the same time than there are processors.
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

    /** Figures of one method: its calls in the order in which they arrived, and the seconds for which the client was blocked by them. */
    private record Load(ServiceBinding service, String method, List<ServedCall> calls, List<Waited> waits, double own) {

        double blocked() {
            return waits.stream().mapToDouble(Waited::seconds).sum();
        }

        double running() {
            return calls.stream().mapToDouble(ServedCall::running).average().orElse(0);
        }

        double queued() {
            return calls.stream().mapToDouble(ServedCall::queued).average().orElse(0);
        }

        /** Whether nearly every call came when the one before it had ended: the client waits for each. */
        boolean isInTurn() {
            long last = Long.MIN_VALUE;
            int overlapping = 0;
            for (ServedCall call : calls) {
                overlapping += call.arrived() < last ? 1 : 0;
                last = Math.max(last, call.ended());
            }
            return overlapping * 20 < calls.size();
        }

        /** The part of the running time for which the method used a processor. */
        double processorShare() {
            double used = calls.stream()
                            .mapToDouble(call -> Math.max(0, call.processor()))
                            .sum()
                    / 1e9;
            double all = calls.stream().mapToDouble(ServedCall::running).sum();
            return all == 0 ? 1 : Math.min(1, used / all);
        }

        /** The seconds on the way there and back: of calls in turn their mean, else twice what the last reply took. */
        double way() {
            if (isInTurn()) {
                return Math.max(0, blocked() / calls.size() - running() - queued());
            }
            long served = calls.stream().mapToLong(ServedCall::ended).max().orElse(0);
            long claimed = waits.stream().mapToLong(Waited::ended).max().orElse(served);
            return Math.max(0, 2 * (claimed - served) / 1e9);
        }

        /** The mean seconds that a call ran, by replica. */
        Map<String, Double> speeds() {
            return calls.stream()
                    .collect(Collectors.groupingBy(
                            ServedCall::replica, TreeMap::new, Collectors.averagingDouble(ServedCall::running)));
        }

        /** The seconds from the first call of the method to the end of the last. */
        double span() {
            long begin = calls.stream().mapToLong(ServedCall::arrived).min().orElse(0);
            long end = calls.stream().mapToLong(ServedCall::ended).max().orElse(0);
            return (end - begin) / 1e9 + way();
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
        return candidates().stream()
                .filter(change -> seconds - change.seconds() >= LEAST_SAVING * seconds)
                .toList();
    }

    /** All changes that were considered, those too that would save nothing; the greatest saving first. */
    public List<Change> candidates() {
        List<Change> changes = new ArrayList<>();
        for (Load load : loads()) {
            LoopModel now = model(load);
            sendAhead(load, now, changes);
            widerWindow(load, now, changes);
            moreReplicas(load, now, changes);
            pull(load, now, changes);
        }
        changes.sort(Comparator.comparingDouble(Change::seconds));
        return changes;
    }

    private List<Load> loads() {
        List<Load> loads = new ArrayList<>();
        double client = TimeSplit.of(trace).client();
        double all = trace.served().size();
        Map<String, List<ServedCall>> byMethod = trace.served().stream()
                .sorted(Comparator.comparingLong(ServedCall::arrived))
                .collect(Collectors.groupingBy(ServedCall::method, TreeMap::new, Collectors.toList()));
        byMethod.forEach((name, calls) -> {
            int dot = name.lastIndexOf('.');
            ServiceBinding service = bindings.services().get(name.substring(0, dot));
            if (service == null || calls.size() < 2) {
                return;
            }
            String method = name.substring(dot + 1);
            List<Waited> waits = trace.waited().stream()
                    .filter(wait -> wait.call().endsWith("." + method))
                    .toList();
            loads.add(new Load(service, method, calls, waits, client / all));
        });
        return loads;
    }

    /** The loop as it was recorded. */
    private LoopModel model(Load load) {
        Map<String, Double> speeds = load.speeds();
        Map<String, Long> counts =
                load.calls().stream().collect(Collectors.groupingBy(ServedCall::replica, Collectors.counting()));
        int workers = workers(load);
        List<LoopModel.Replica> replicas = new ArrayList<>();
        speeds.forEach((replica, mean) ->
                replicas.add(new LoopModel.Replica(mean, workers, counts.getOrDefault(replica, 0L))));
        List<Double> sizes = load.calls().stream()
                .map(call -> call.running() / Math.max(1e-9, speeds.getOrDefault(call.replica(), 1.0)))
                .toList();
        return new LoopModel(sizes, load.own(), load.way(), window(load), replicas, most(load, workers));
    }

    private static int window(Load load) {
        Integer window = load.service().call(load.method()).window();
        return load.isInTurn() ? 1 : window == null ? WINDOW : window;
    }

    /** The most calls that a replica has; 0 where they go to the replicas in turn. */
    private static int most(Load load, int workers) {
        Balance balance = load.service().dispatch().balance();
        if (balance instanceof Balance.Demand demand) {
            return demand.window();
        }
        if (balance instanceof Balance.Pull pull) {
            return workers + pull.group();
        }
        return balance instanceof Balance.LeastLoaded || balance instanceof Balance.Learned ? workers + 1 : 0;
    }

    /** The seconds of the run if the loop of a method were another one. */
    private double with(Load load, LoopModel now, LoopModel then) {
        double before = now.seconds();
        double after = slowed(load, now, then).seconds();
        return seconds - load.span() * (1 - after / before);
    }

    /** The loop on the processors that there are, of which the methods get as much as they used, or less. */
    private LoopModel slowed(Load load, LoopModel now, LoopModel then) {
        double factor = crowd(load, then) / crowd(load, now);
        return then.withReplicas(then.replicas().stream()
                .map(replica -> new LoopModel.Replica(replica.seconds() * factor, replica.workers(), replica.share()))
                .toList());
    }

    /** How many times longer methods take because others run at the same time. */
    private double crowd(Load load, LoopModel loop) {
        double together =
                loop.replicas().stream().mapToInt(LoopModel.Replica::workers).sum();
        return Math.max(1, Math.min(together, loop.window()) * load.processorShare() / processors);
    }

    private static String keys(Load load) {
        return "services." + load.service().name() + ".methods." + load.method();
    }

    private void sendAhead(Load load, LoopModel now, List<Change> changes) {
        // A call in turn is blocked for as long as it is at its server, and on its way.
        if (!load.isInTurn() || load.blocked() < load.calls().size() * (load.running() + load.queued()) * 0.9) {
            return;
        }
        changes.add(new Change(
                load.service().name() + "." + load.method() + ": style: async, window: " + WINDOW,
                Map.of(keys(load) + ".style", "async", keys(load) + ".window", Integer.toString(WINDOW)),
                with(load, now, now.withWindow(WINDOW)),
                String.format(
                        Locale.ROOT,
                        "%d calls in turn, %.3g ms on the way and %.3g ms at the server each",
                        load.calls().size(),
                        now.way() * 1e3,
                        load.running() * 1e3)));
    }

    private void widerWindow(Load load, LoopModel now, List<Change> changes) {
        if (load.isInTurn() || now.window() >= WINDOW) {
            return;
        }
        int wider = Math.min(WINDOW, now.window() * 4);
        changes.add(new Change(
                load.service().name() + "." + load.method() + ": window: " + wider,
                Map.of(keys(load) + ".window", Integer.toString(wider)),
                with(load, now, now.withWindow(wider)),
                String.format(
                        Locale.ROOT,
                        "%d calls under way, each for %.3g ms there and back",
                        now.window(),
                        (now.way() + load.running()) * 1e3)));
    }

    private void moreReplicas(Load load, LoopModel now, List<Change> changes) {
        List<LoopModel.Replica> replicas = new ArrayList<>(now.replicas());
        int more = 2 * Math.max(1, load.service().replicas().size());
        OptionalDouble last = lastSpeed(load, now.replicas());
        double share = now.replicas().stream()
                .mapToDouble(LoopModel.Replica::share)
                .average()
                .orElse(1);
        while (replicas.size() < more) {
            replicas.add(new LoopModel.Replica(last.orElse(0), workers(load), share));
        }
        changes.add(new Change(
                load.service().name() + ": " + more + " replicas",
                Map.of("replicas:" + load.service().name(), Integer.toString(more)),
                with(load, now, now.withReplicas(replicas)),
                String.format(
                        Locale.ROOT,
                        "%d calls of %.3g ms, %.0f %% of it on a processor",
                        load.calls().size(),
                        load.running() * 1e3,
                        load.processorShare() * 100)));
    }

    /** The seconds of a call at replicas that are added: as at the last one of the file, which they are like. */
    private static OptionalDouble lastSpeed(Load load, Collection<LoopModel.Replica> known) {
        Map<String, Double> speeds = new LinkedHashMap<>(load.speeds());
        List<Double> named = load.service().replicas().stream()
                .map(replica -> speeds.get(replica.name()))
                .filter(speed -> speed != null)
                .toList();
        return named.isEmpty()
                ? known.stream().mapToDouble(LoopModel.Replica::seconds).average()
                : OptionalDouble.of(named.get(named.size() - 1));
    }

    private void pull(Load load, LoopModel now, List<Change> changes) {
        if (now.replicas().size() < 2
                || load.isInTurn()
                || load.service().dispatch().balance() instanceof Balance.Pull) {
            return;
        }
        double slowest = now.replicas().stream()
                .mapToDouble(replica -> replica.seconds() * replica.share() / replica.workers())
                .max()
                .orElse(0);
        changes.add(new Change(
                load.service().name() + ": balance: pull",
                Map.of("services." + load.service().name() + ".balance", "pull"),
                with(load, now, now.withMost(workers(load) + 1)),
                String.format(Locale.ROOT, "the last replica worked %.3g s of %.3g", slowest, load.span())));
    }

    private int workers(Load load) {
        Integer workers = load.service().dispatch().workers();
        return workers == null ? processors : workers;
    }
}
