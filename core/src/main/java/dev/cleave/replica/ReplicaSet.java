package dev.cleave.replica;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Route;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/**
 * The replicas of a service at one moment. Immutable.
 *
 * @param service its name
 * @param version grows with every change; 0 = the service is not known
 * @param route how calls travel
 * @param replicas all of them, in the order of their names
 * @param withdrawn whether the last replica that left was withdrawn by its node, and not lost with its connection
 */
public record ReplicaSet(
        String service, long version, Route route, List<Replicas.Replica> replicas, boolean withdrawn) {

    /** Checks its components, copies and sorts the replicas. */
    public ReplicaSet {
        requireNonNull(service, "service");
        requireNonNull(route, "route");
        List<Replicas.Replica> sorted = new ArrayList<>(replicas);
        sorted.sort((a, b) -> a.name().compareTo(b.name()));
        replicas = List.copyOf(sorted);
    }

    /** Creates a set of which no replica was withdrawn. */
    public ReplicaSet(String service, long version, Route route, List<Replicas.Replica> replicas) {
        this(service, version, route, replicas, false);
    }

    /** Returns the set that a broker has sent. */
    public static ReplicaSet of(Replicas frame) {
        return new ReplicaSet(frame.service(), frame.version(), frame.route(), frame.replicas(), frame.withdrawn());
    }

    /** Returns the set of a service that no node has ever offered. */
    public static ReplicaSet unknown(String service) {
        return new ReplicaSet(service, 0, Route.DIRECT, List.of());
    }

    /** Says whether a node has ever offered the service. */
    public boolean isKnown() {
        return version > 0;
    }

    /**
     * Returns the set to use after a broker has sent this one: the previous set with live replicas, if this one has
     * none left and no replica was withdrawn. Clients may still reach replicas whose connections to the broker are
     * lost.
     *
     * @param before the set that was used until now
     */
    public ReplicaSet orLastGood(ReplicaSet before) {
        boolean doubted = live().isEmpty()
                && !withdrawn
                && before.route == Route.DIRECT
                && !before.live().isEmpty();
        return doubted ? before : this;
    }

    /**
     * The replicas that may get new calls: all that are up; if none is, those that have just started; if there are none
     * either, those that the broker suspects, for the broker may be the one whose connections are broken.
     */
    public List<Replicas.Replica> live() {
        List<Replicas.Replica> up = in(ReplicaState.UP);
        List<Replicas.Replica> answering = up.isEmpty() ? in(ReplicaState.STARTING) : up;
        return answering.isEmpty() ? in(ReplicaState.SUSPECT) : answering;
    }

    /**
     * The replicas that may get a call that others did not take: the other {@linkplain #live live} ones; if there are
     * none, those that have just started, for all that are up may have gone in this moment. Never a suspect replica if
     * there are others.
     *
     * @param passed says whether a replica did not take the call
     */
    public List<Replicas.Replica> liveBut(Predicate<Replicas.Replica> passed) {
        List<Replicas.Replica> others = live().stream().filter(passed.negate()).toList();
        return others.isEmpty() && !in(ReplicaState.UP).isEmpty()
                ? in(ReplicaState.STARTING).stream().filter(passed.negate()).toList()
                : others;
    }

    private List<Replicas.Replica> in(ReplicaState state) {
        List<Replicas.Replica> found = new ArrayList<>(replicas.size());
        for (Replicas.Replica each : replicas) {
            if (each.state() == state) {
                found.add(each);
            }
        }
        return List.copyOf(found);
    }
}
