package dev.cleave.broker.registry;

import dev.cleave.wire.Load;
import dev.cleave.wire.Register;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Services;

/** One replica of one service, as it was registered, and what has been heard of it since. */
final class Registration {

    private final Register said;
    private final Party party;
    private long expiresAtNanos;
    private boolean held;
    private ReplicaState state = ReplicaState.STARTING;
    private Load load = Load.NONE;

    Registration(Register said, Party party) {
        this.said = said;
        this.party = party;
    }

    Register said() {
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
