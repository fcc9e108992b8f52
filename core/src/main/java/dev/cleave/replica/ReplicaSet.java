package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Route;
import java.util.Comparator;
import java.util.List;
import java.util.function.Predicate;

/**
 * The replicas of a service at one moment. Immutable.
 *
 * @param service its name
 * @param version grows with every change; 0 = the service is not known
 * @param route how calls travel
 * @param replicas all of them, in the order of their names
 * @param withdrawn whether the last replica that left was taken back in words, and not lost with its connection
 */
public record ReplicaSet(
        String service, long version, Route route, List<Replicas.Replica> replicas, boolean withdrawn) {

    /** Checks its components, copies and sorts the replicas. */
    public ReplicaSet {
        requireNonNull(service, "service");
        requireNonNull(route, "route");
        replicas = replicas.stream()
                .sorted(Comparator.comparing(Replicas.Replica::name))
                .toList();
    }

    /** Replicas of which none was taken back. */
    public ReplicaSet(String service, long version, Route route, List<Replicas.Replica> replicas) {
        this(service, version, route, replicas, false);
    }

    /** What a broker said. */
    public static ReplicaSet of(Replicas frame) {
        return new ReplicaSet(frame.service(), frame.version(), frame.route(), frame.replicas(), frame.withdrawn());
    }

    /** A service that nobody has ever offered. */
    public static ReplicaSet unknown(String service) {
        return new ReplicaSet(service, 0, Route.DIRECT, List.of());
    }

    /** Says whether somebody has offered the service. */
    public boolean isKnown() {
        return version > 0;
    }

    /**
     * The set to go by now that a broker has said this one: the last one with live replicas, if this one has none left and none of
     * them was taken back in words. A broker that has lost connections says little of the direct way to the replicas.
     *
     * @param before the set that was gone by until now
     */
    public ReplicaSet orLastGood(ReplicaSet before) {
        boolean doubted = live().isEmpty()
                && !withdrawn
                && before.route == Route.DIRECT
                && !before.live().isEmpty();
        return doubted ? before : this;
    }

    /**
     * Those that may get new calls: all that are up; if none is, those that have just started; if there are none either, those
     * that the broker suspects, for it may be the broker who hears nothing.
     */
    public List<Replicas.Replica> live() {
        List<Replicas.Replica> up = in(ReplicaState.UP);
        List<Replicas.Replica> answering = up.isEmpty() ? in(ReplicaState.STARTING) : up;
        return answering.isEmpty() ? in(ReplicaState.SUSPECT) : answering;
    }

    /**
     * Those that may get a call that some did not take: the other {@linkplain #live live} ones; if there are none, those that
     * have just started, for all that are up may have gone in this moment. Never one that is suspect beside others.
     *
     * @param passed says of a replica whether it did not take the call
     */
    public List<Replicas.Replica> liveBut(Predicate<Replicas.Replica> passed) {
        List<Replicas.Replica> others = live().stream().filter(passed.negate()).toList();
        return others.isEmpty() && !in(ReplicaState.UP).isEmpty()
                ? in(ReplicaState.STARTING).stream().filter(passed.negate()).toList()
                : others;
    }

    private List<Replicas.Replica> in(ReplicaState state) {
        return replicas.stream().filter(replica -> replica.state() == state).toList();
    }
}
