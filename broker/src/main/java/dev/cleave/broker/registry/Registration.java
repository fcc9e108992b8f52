package dev.cleave.broker.registry;

import dev.cleave.wire.Load;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Services;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The registration of one replica of one service, with its state and last load. */
final class Registration {

    private final RegisterReplica said;
    private final Party party;
    private final @Nullable String identity;
    private long expiresAtNanos;
    private boolean held;
    private ReplicaState state = ReplicaState.STARTING;
    private Load load = Load.NONE;

    Registration(RegisterReplica said, Party party, @Nullable String identity) {
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
        this.identity = identity;
    }

    RegisterReplica said() {
        return said;
    }

    Party party() {
        return party;
    }

    /** The identity that registered it; null if it was not asked for one. */
    @Nullable
    String identity() {
        return identity;
    }

    /** Whether it is connected to this broker. */
    boolean isHere() {
        return party.home() == null;
    }

    void expireAt(long nanos) {
        expiresAtNanos = nanos;
    }

    void prolong(long nanos) {
        if (!held && isHere()) {
            expiresAtNanos += nanos;
        }
    }

    /** Notes that the connection has ended: the registration ends at a time, unless it is replaced before. */
    void holdUntil(long nanos) {
        held = true;
        expiresAtNanos = nanos;
    }

    boolean hasExpired(long now) {
        return isHere() && expiresAtNanos - now <= 0;
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
        long lease = isHere() ? Math.max(0, expiresAtNanos - now) / 1_000_000 : 0;
        String endpoint = said.endpoints().isEmpty() ? "" : said.endpoints().get(0);
        return new Services.Replica(said.replica(), endpoint, state, load, Math.toIntExact(lease), party.address());
    }
}
