package dev.cleave.call;

import dev.cleave.config.Pings;
import dev.cleave.replica.Pulse;
import dev.cleave.wire.Ping;
import dev.cleave.wire.ReplicaState;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Detects that the peer of a link is frozen though its connection is open. Any frame is a sign of life; a ping asks
 * for one.
 *
 * <p>The event thread counts intervals: while it is busy it reads nothing, and counts nothing. A peer that has not
 * read what was written cannot have seen the ping, so {@value #UNREAD_INTERVALS} silent intervals then count as one.
 *
 * <p>A peer that has dialled and from which this node awaits nothing is at rest: it is pinged only after the silence
 * that makes another peer suspect, and that silence is not counted. A server has many such peers, and pings would be
 * most of their cost.
 */
final class Heartbeat {

    /** The number of silent intervals that count as one while the peer does not read. */
    static final int UNREAD_INTERVALS = 4;

    private final Link link;
    private final UnreadGate gate;
    private final AtomicBoolean counting =
            new AtomicBoolean(); // guards the counters, from beat to the end of the interval
    private volatile boolean heard; // a frame has come since the last interval
    private boolean asked = true; // a ping was sent since the last frame of a link at rest
    private int quiet; // number of intervals without a frame or a ping
    private int unread;
    private @Nullable Pulse pulse;
    private volatile boolean suspect; // written on the event thread

    Heartbeat(Link link, UnreadGate gate) {
        this.link = link;
        this.gate = gate;
    }

    /** Records that a frame has come. Event thread only. */
    void onFrame() {
        if (!heard) {
            heard = true;
        }
    }

    boolean isSuspect() {
        return suspect;
    }

    /** Counts an interval of pings that has passed. From any thread. */
    void beat(Pings pings) {
        if (link.isClosed() || !counting.compareAndSet(false, true)) {
            return;
        }
        if (isAtRest(pings)) {
            counting.set(false);
            link.rest();
            return;
        }
        try {
            link.connection().execute(() -> onInterval(pings));
        } catch (RejectedExecutionException e) {
            suspect = false; // the transport has been closed, and the link with it
        } catch (Throwable e) { // no memory for the task, say: the next interval is to be counted
            counting.set(false);
            throw e;
        }
    }

    private void onInterval(Pings pings) {
        boolean wasSuspect = suspect;
        try {
            link.closeIfDone();
            if (link.isClosed()) {
                return;
            }
            link.interval();
            Pulse known = known(pings);
            if (heard || asked) {
                count(known);
            }
            if (known.state() == ReplicaState.DOWN) {
                link.lose("no sign of life for " + pings.down().toMillis() + " ms");
                return;
            }
            suspect = known.state() == ReplicaState.SUSPECT;
            asked = true;
        } finally {
            counting.set(false); // before the ping: a thread that has seen the ping may rely on the next interval
        }
        ping(wasSuspect);
    }

    private void ping(boolean wasSuspect) {
        link.write(new Ping(0).write(link.connection().allocator()));
        link.flush();
        if (suspect != wasSuspect) {
            link.suspicionChanged();
        }
        if (suspect) {
            link.calls().all().forEach(LinkCall::suspected);
        }
    }

    private Pulse known(Pings pings) {
        Pulse known = pulse;
        if (known == null) {
            known = new Pulse(ReplicaState.UP, pings.suspectAfter(), pings.downAfter());
            pulse = known;
        }
        return known;
    }

    /**
     * Whether the peer need not be pinged now, because no call waits for it. Checked on the timer's thread: thousands
     * of links would wake the event threads.
     */
    private boolean isAtRest(Pings pings) {
        if (!link.isAccepted() || link.pendingCalls() > 0 || suspect || gate.isHeld()) {
            quiet = 0;
            return false;
        }
        if (heard) {
            heard = false;
            asked = false;
            quiet = 0;
            known(pings).onSign();
            return true;
        }
        return !asked && ++quiet < pings.suspectAfter();
    }

    private void count(Pulse known) {
        if (gate.isHeld()) { // this node does not read from it: the sign of life is that the peer reads
            heard = false;
            if (gate.interval()) {
                known.onSign();
            } else {
                known.onSilence();
            }
        } else if (heard) {
            heard = false;
            known.onSign();
        } else if (link.connection().isWritable() || ++unread % UNREAD_INTERVALS == 0) {
            known.onSilence();
        }
    }
}
