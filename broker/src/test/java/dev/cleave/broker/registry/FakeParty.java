package dev.cleave.broker.registry;

import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.RegisterReplica;
import java.util.ArrayList;
import java.util.List;

/** A connection that remembers what it was told. */
final class FakeParty implements Party {

    final List<ReplicaSet> told = new ArrayList<>();
    final List<String> displaced = new ArrayList<>();
    private final String name;

    FakeParty(String name) {
        this.name = name;
    }

    static RegisterReplica offer(String service, String replica, long incarnation) {
        return new RegisterReplica(
                1, service, replica, incarnation, List.of("tcp://h:1"), "a.B", List.of("m()V"), 10_000);
    }

    @Override
    public String address() {
        return name;
    }

    @Override
    public void displaced(String service, String replica, String by) {
        displaced.add(replica + " of " + service + " by " + by);
    }

    @Override
    public void changed(ReplicaSet replicas) {
        told.add(replicas);
    }

    @Override
    public String toString() {
        return name;
    }
}
