package dev.cleave.lab.simulation;

import dev.cleave.config.Pings;
import dev.cleave.lab.history.Planted;
import dev.cleave.replica.Pulse;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Recall;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Settled;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A client's connection to a replica, with the calls that wait there. */
final class SimulatedLink {

    private static final int MOST_UNSETTLED = 4;

    private final Wire.End end;
    private final long number;
    private final Rules rules;
    private int unsettled;
    private final TreeMap<Long, SimulatedCall> calls = new TreeMap<>();
    private final Pulse pulse;
    private long next = 1;
    private boolean heard = true;

    /**
     * Begins to speak.
     *
     * @param number its own among those of the client
     */
    SimulatedLink(Wire.End end, Rules rules, long number) {
        this.rules = rules;
        this.end = end;
        this.number = number;
        end.send(new Settled(1, new ConnectionName(0, number)));
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

    void send(SimulatedCall call, long deadlineNanos, long leftNanos) {
        long id = next++;
        calls.put(id, call);
        call.on(this, id);
        end.send(new Messages.Asked(id, call.number(), deadlineNanos, leftNanos));
    }

    /** Asks what has become of a call that was sent over another one, which has broken. */
    void recall(SimulatedCall call, SimulatedCall.Origin origin) {
        long id = next++;
        calls.put(id, call);
        call.on(this, id);
        end.send(new Recall(id, new ConnectionName(0, origin.connection()), origin.id()));
    }

    @Nullable
    SimulatedCall take(long id) {
        SimulatedCall taken = calls.remove(id);
        if (taken != null && ++unsettled == MOST_UNSETTLED && !end.isClosed()) {
            unsettled = 0;
            boolean isAll = calls.isEmpty() || rules.has(Planted.SETTLES_TOO_MUCH);
            end.send(new Settled(isAll ? next : calls.firstKey(), new ConnectionName(0, number)));
        }
        return taken;
    }

    /** Its own number among those of the client. */
    long number() {
        return number;
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
