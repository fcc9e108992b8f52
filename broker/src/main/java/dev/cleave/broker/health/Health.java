package dev.cleave.broker.health;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.registry.Registry;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Steps;
import dev.cleave.config.Pings;
import dev.cleave.replica.Pulse;
import dev.cleave.wire.Load;
import dev.cleave.wire.ReplicaState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Pings all connected peers, and reports the state of those that offer services to the registry: suspect after some
 * intervals without an answer, given up after some more.
 *
 * <h2>What counts as an answer</h2>
 *
 * A server answers with its load, which it reads from its queue: a server that is frozen, or whose queue is, cannot
 * answer. For other peers any frame counts. A server that answers while its workers are {@linkplain Backlog stuck} is
 * suspect, but never given up.
 *
 * <h2>Distrust of oneself</h2>
 *
 * If more than an interval is missing between two intervals, this process itself was stopped: that time counts neither
 * as silence nor against leases. If {@value #MANY} servers or more, and more than {@value #MANY_PERCENT} % of all, are
 * silent at once, the broker's own network has probably failed: they are suspect, and none is given up.
 */
public final class Health {

    static final int MANY = 3;
    static final int MANY_PERCENT = 15;

    /**
     * How long servers have to reconnect after this process was stopped: longer than their longest pause between two
     * dials.
     */
    public static final Duration COME_BACK = Duration.ofSeconds(4);

    private static final System.Logger LOG = SafeLog.of(Health.class);

    private final Registry registry;
    private final Pings pings;
    private final LongSupplier nanos;
    private final Consumer<String> alarm;
    private final Map<Patient, Chart> charts = new HashMap<>();
    private Consumer<Patient> whenSuspect = patient -> {};
    private long lastInterval;
    private long spareUntil;
    private boolean manySilent;

    /** The state of one patient. */
    private static final class Chart {

        private final Pulse pulse;
        private final Backlog backlog;
        private long sent;
        private long answered;

        private Chart(Pings pings) {
            pulse = new Pulse(ReplicaState.STARTING, pings.suspectAfter(), pings.downAfter());
            backlog = new Backlog(pings.suspectAfter(), pings.every().toMillis() / 2);
        }

        private boolean isSilent() {
            return pulse.state() == ReplicaState.SUSPECT || pulse.isNearlyDown();
        }

        private ReplicaState state() {
            return pulse.state() == ReplicaState.UP && backlog.isStuck() ? ReplicaState.SUSPECT : pulse.state();
        }
    }

    /**
     * Creates a health check without patients.
     *
     * @param nanos the clock; never goes back
     * @param alarm receives lines about events that operators should know
     */
    public Health(Registry registry, Pings pings, LongSupplier nanos, Consumer<String> alarm) {
        this.registry = requireNonNull(registry, "registry");
        this.pings = requireNonNull(pings, "pings");
        this.nanos = requireNonNull(nanos, "nanos");
        this.alarm = requireNonNull(alarm, "alarm");
        lastInterval = nanos.getAsLong();
        spareUntil = lastInterval;
    }

    /**
     * Sets a listener that is called for each peer that offers services and is suspect because of its silence, at the
     * first such interval and at each further one.
     */
    public void onSuspect(Consumer<Patient> listener) {
        whenSuspect = requireNonNull(listener, "listener");
    }

    /** Adds a connected peer, which is pinged in each interval from now on. */
    public void joined(Patient patient) {
        charts.computeIfAbsent(patient, p -> new Chart(pings));
    }

    /** Pings a server at once, because it has registered a service. */
    public void registered(Patient patient) {
        joined(patient);
        Chart chart = chart(patient);
        if (chart.answered > 0) {
            tell(patient, chart);
        } else {
            patient.ping(++chart.sent);
        }
    }

    /** Takes the answer of a peer to a ping. */
    public void answered(Patient patient, long id, Load load) {
        Chart chart = charts.get(patient);
        if (chart == null || id <= chart.answered || id > chart.sent) {
            return; // it answers no outstanding ping
        }
        chart.answered = id;
        chart.pulse.onSign();
        chart.backlog.onReport(load);
        tell(patient, chart);
    }

    /** Removes a peer whose connection has ended. */
    public void lost(Patient patient) {
        charts.remove(patient);
    }

    /**
     * Removes a peer whose connection has ended, and its services. For a while after this process was stopped, which
     * may be the reason, its services stay as suspect.
     */
    public void gone(Patient patient) {
        lost(patient);
        if (wasStopped()) {
            registry.hold(patient, COME_BACK);
        } else {
            registry.lost(patient);
        }
    }

    /** Called when an interval has passed. */
    public void onInterval() {
        long now = nanos.getAsLong();
        long missing = missing(now);
        lastInterval = now;
        boolean stopped = missing > pings.every().toNanos();
        if (stopped) {
            alarm.accept("stopped for " + missing / 1_000_000 + " ms: this time counts against no peer");
            registry.prolong(Duration.ofNanos(missing));
            spareUntil = now + COME_BACK.toNanos();
        }
        boolean spared = areManySilent();
        Steps.forEach(LOG, "interval of a peer", List.copyOf(charts.entrySet()), entry -> {
            if (!stopped && !entry.getKey().isHeld()) {
                count(entry.getKey(), entry.getValue(), spared);
            }
            if (charts.containsKey(entry.getKey())) {
                entry.getKey().ping(++entry.getValue().sent);
            }
        });
    }

    /**
     * Says whether this process was stopped a moment ago, also if no interval has passed since: connections that are
     * found closed now do not prove that their peers have left.
     */
    public boolean wasStopped() {
        long now = nanos.getAsLong();
        return missing(now) > pings.every().toNanos() || spareUntil - now > 0;
    }

    private long missing(long now) {
        return now - lastInterval - pings.every().toNanos();
    }

    /** Says whether no peer is pinged. */
    public boolean isEmpty() {
        return charts.isEmpty();
    }

    private Chart chart(Patient patient) {
        return requireNonNull(charts.get(patient));
    }

    private void count(Patient patient, Chart chart, boolean spared) {
        boolean offers = registry.offers(patient);
        if (patient.takeHeard() && !offers) {
            chart.pulse.onSign();
            return;
        }
        if (spared && offers && chart.pulse.isNearlyDown()) {
            return;
        }
        chart.pulse.onSilence(); // counts as silence until the peer answers
        if (chart.pulse.state() == ReplicaState.DOWN) {
            lost(patient);
            patient.giveUp("no answer to pings for " + pings.down().toMillis() + " ms");
        } else if (offers) {
            tell(patient, chart);
            if (chart.pulse.state() == ReplicaState.SUSPECT) {
                whenSuspect.accept(patient);
            }
        }
    }

    /** Whether the number of silent servers makes the broker's own network the likely cause. */
    private boolean areManySilent() {
        int servers = 0;
        int silent = 0;
        for (Map.Entry<Patient, Chart> entry : charts.entrySet()) {
            if (registry.offers(entry.getKey())) {
                servers++;
                silent += entry.getValue().isSilent() ? 1 : 0;
            }
        }
        boolean many = silent >= MANY && silent * 100 > servers * MANY_PERCENT;
        if (many && !manySilent) {
            alarm.accept(silent + " of " + servers + " servers are silent at once: none is given up");
        }
        manySilent = many;
        return many;
    }

    private void tell(Patient patient, Chart chart) {
        registry.health(patient, chart.state(), chart.backlog.load());
    }
}
