package dev.cleave.broker.health;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.registry.Registry;
import dev.cleave.wire.Load;
import dev.cleave.wire.ReplicaState;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Pings the servers that have registered something, and tells the registry what comes of it: suspect after
 * {@link #SUSPECT_AFTER} intervals without an answer, given up after {@link #DOWN_AFTER}.
 */
public final class Health {

    /** How often servers are pinged. */
    public static final Duration INTERVAL = Duration.ofSeconds(1);

    /** Intervals of silence after which a server gets no new calls. */
    public static final int SUSPECT_AFTER = 3;

    /** Intervals of silence after which a server is given up. */
    public static final int DOWN_AFTER = 6;

    private final Registry registry;
    private final Map<Patient, Pulse> pulses = new HashMap<>();
    private final Map<Patient, Load> loads = new HashMap<>();

    /** Creates one that watches nobody yet. */
    public Health(Registry registry) {
        this.registry = requireNonNull(registry, "registry");
    }

    /** The server has registered something: from now on it is pinged, at once and in each interval. */
    public void registered(Patient patient) {
        Pulse known = pulses.get(patient);
        if (known == null) {
            Pulse pulse = new Pulse(SUSPECT_AFTER, DOWN_AFTER);
            pulses.put(patient, pulse);
            patient.ping(pulse.nextPing());
        } else {
            tell(patient, known);
        }
    }

    /** The server has answered. */
    public void answered(Patient patient, long id, Load load) {
        Pulse pulse = pulses.get(patient);
        if (pulse != null && pulse.onPong(id)) {
            loads.put(patient, load);
            tell(patient, pulse);
        }
    }

    /** The connection is gone. */
    public void lost(Patient patient) {
        pulses.remove(patient);
        loads.remove(patient);
    }

    /** An interval has passed. */
    public void onInterval() {
        for (Map.Entry<Patient, Pulse> entry : List.copyOf(pulses.entrySet())) {
            Patient patient = entry.getKey();
            if (!registry.offers(patient)) {
                lost(patient);
            } else if (!patient.isHeld()) {
                check(patient, entry.getValue());
            }
        }
    }

    /** Says whether nobody is pinged. */
    public boolean isEmpty() {
        return pulses.isEmpty() && loads.isEmpty();
    }

    private void check(Patient patient, Pulse pulse) {
        pulse.onInterval();
        if (pulse.state() == ReplicaState.DOWN) {
            lost(patient);
            patient.giveUp("no answer to pings for "
                    + INTERVAL.multipliedBy(DOWN_AFTER).toSeconds() + " s");
            return;
        }
        tell(patient, pulse);
        patient.ping(pulse.nextPing());
    }

    private void tell(Patient patient, Pulse pulse) {
        registry.health(patient, pulse.state(), loads.getOrDefault(patient, Load.NONE));
    }
}
