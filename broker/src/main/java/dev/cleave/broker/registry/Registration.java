package dev.cleave.broker.registry;

import dev.cleave.wire.Load;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Services;
import java.util.List;

/** One replica of one service, as it was registered, and what has been heard of it since. */
final class Registration {

    private final RegisterReplica said;
    private final Party party;
    private long expiresAtNanos;
    private boolean held;
    private ReplicaState state = ReplicaState.STARTING;
    private Load load = Load.NONE;

    Registration(RegisterReplica said, Party party) {
        this.said = new RegisterReplica(
                said.id(),
                said.service(),
                said.replica(),
                said.incarnation(),
                said.endpoints(),
                said.interfaceName(),
                List.of(), // which nobody asks for here
                said.leaseMillis());
        this.party = party;
    }

    RegisterReplica said() {
        return said;
    }

    Party party() {
        return party;
    }

    void expireAt(long nanos) {
        expiresAtNanos = nanos;
    }

    void prolong(long nanos) {
        if (!held) {
            expiresAtNanos += nanos;
        }
    }

    /** The connection is gone: the registration ends at a time, unless it is replaced before. */
    void holdUntil(long nanos) {
        held = true;
        expiresAtNanos = nanos;
    }

    boolean hasExpired(long now) {
        return expiresAtNanos - now <= 0;
    }

    /** Says whether this changes the state. */
    boolean become(ReplicaState next) {
        boolean changes = state != next;
        state = next;
        return changes;
    }

    void load(Load next) {
        load = next;
    }

    /** This in place of the same life's earlier registration: what has been heard of it stays true. */
    void inherit(Registration earlier) {
        state = earlier.state;
        load = earlier.load;
    }

    Replicas.Replica replica() {
        return new Replicas.Replica(said.replica(), said.incarnation(), state, said.endpoints());
    }

    Services.Replica listed(long now) {
        long lease = Math.max(0, expiresAtNanos - now) / 1_000_000;
        String endpoint = said.endpoints().isEmpty() ? "" : said.endpoints().get(0);
        return new Services.Replica(said.replica(), endpoint, state, load, Math.toIntExact(lease), party.address());
    }
}
