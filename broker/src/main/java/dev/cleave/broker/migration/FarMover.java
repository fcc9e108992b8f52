package dev.cleave.broker.migration;

import dev.cleave.replica.ReplicaSet;
import dev.cleave.wire.Forward;
import dev.cleave.wire.Frame;

/**
 * A replica that is connected to another broker, by way of that one.
 *
 * @param home where that broker is dialled
 * @param incarnation that of the process of the replica
 * @param token that of this broker
 */
record FarMover(String home, String replica, long incarnation, long token, Ownership way) implements Mover {

    @Override
    public boolean migrates() {
        return true; // its broker drops what it does not support
    }

    @Override
    public void tell(Frame frame) {
        way.tell(home, new Forward(replica, token, frame));
    }

    @Override
    public String address() {
        return "broker " + home;
    }

    @Override
    public void changed(ReplicaSet replicas) {
        throw new UnsupportedOperationException("a replica of another broker watches no service here");
    }
}
