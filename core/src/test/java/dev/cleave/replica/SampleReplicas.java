package dev.cleave.replica;

import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Route;
import java.util.List;
import java.util.stream.Stream;

/** Replicas for tests. */
final class SampleReplicas {

    private SampleReplicas() {}

    static Replicas.Replica replica(String name, ReplicaState state) {
        return new Replicas.Replica(name, 1, state, List.of("tcp://localhost:1"));
    }

    static List<Replicas.Replica> up(String... names) {
        return Stream.of(names).map(name -> replica(name, ReplicaState.UP)).toList();
    }

    static ReplicaSet set(Replicas.Replica... replicas) {
        return new ReplicaSet("compare", 1, Route.DIRECT, List.of(replicas));
    }

    static ReplicaSet setOfUp(String... names) {
        return new ReplicaSet("compare", 1, Route.DIRECT, up(names));
    }
}
