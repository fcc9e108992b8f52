package dev.cleave.broker.cluster;

import dev.cleave.broker.registry.Party;
import dev.cleave.replica.ReplicaSet;

/**
 * The party that offers replicas which are connected to another broker.
 *
 * @param endpoint where that broker is dialled; empty if it is gone
 */
record HomeBroker(String endpoint) implements Party {

    @Override
    public String address() {
        return isOrphaned() ? "no broker" : "broker " + endpoint;
    }

    @Override
    public String home() {
        return endpoint;
    }

    @Override
    public void changed(ReplicaSet replicas) {
        throw new UnsupportedOperationException("a broker watches no service of another broker");
    }
}
