package dev.cleave.broker.registry;

import dev.cleave.wire.Load;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Services;
import java.util.List;

/** The registration of one replica of one service, with its state and last load. */
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
                List.of(), // the keys are not needed here
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

    /** Notes that the connection has ended: the registration ends at a time, unless it is replaced before. */
    void holdUntil(long nanos) {
        held = true;
        expiresAtNanos = nanos;
    }

    boolean hasExpired(long now) {
        return expiresAtNanos - now <= 0;
    }

    /** Sets the state, and says whether it has changed. */
    boolean become(ReplicaState next) {
        boolean changes = state != next;
        state = next;
        return changes;
    }

    void load(Load next) {
        load = next;
    }

    /** Takes over the state and load of an earlier registration of the same process. */
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
