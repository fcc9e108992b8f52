package dev.cleave.broker.simulation;

import dev.cleave.config.Pings;
import dev.cleave.replica.Pulse;
import dev.cleave.wire.Ping;
import dev.cleave.wire.ReplicaState;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A client's connection to a replica, with the calls that wait there. */
final class SimulatedLink {

    private final Wire.End end;
    private final TreeMap<Long, SimulatedCall> calls = new TreeMap<>();
    private final Pulse pulse;
    private long next = 1;
    private boolean heard = true;

    SimulatedLink(Wire.End end) {
        this.end = end;
        Pings pings = Pings.DEFAULT.halved();
        pulse = new Pulse(ReplicaState.UP, pings.suspectAfter(), pings.downAfter());
    }

    boolean isClosed() {
        return end.isClosed();
    }

    boolean isSuspect() {
        return pulse.state() == ReplicaState.SUSPECT;
    }

    void heard() {
        heard = true;
    }

    /** An interval has passed; says whether the peer is given up. */
    boolean isDownAfterInterval() {
        if (heard) {
            pulse.onSign();
        } else {
            pulse.onSilence();
        }
        heard = false;
        if (pulse.state() == ReplicaState.DOWN) {
            return true;
        }
        end.send(new Ping(0));
        return false;
    }

    void send(SimulatedCall call, long deadlineNanos) {
        long id = next++;
        calls.put(id, call);
        call.on(this, id);
        end.send(new Messages.Asked(id, call.number(), deadlineNanos));
    }

    @Nullable
    SimulatedCall take(long id) {
        return calls.remove(id);
    }

    List<SimulatedCall> calls() {
        return new ArrayList<>(calls.values());
    }

    /** Closes; returns the calls that waited. */
    List<SimulatedCall> close() {
        List<SimulatedCall> left = calls();
        calls.clear();
        end.close();
        return left;
    }
}
