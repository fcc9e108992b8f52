package dev.cleave.call;

import dev.cleave.config.Pings;
import dev.cleave.replica.Pulse;
import dev.cleave.wire.Ping;
import dev.cleave.wire.ReplicaState;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Finds out that the peer of a link is frozen though its connection stands. Any frame is a sign of life; a ping asks for one.
 *
 * <p>Intervals are counted on the event thread: while that is busy nothing can be heard, and so nothing is counted. A peer that
 * has not taken what was written cannot have seen the ping either, so its silence then counts for a part of an interval only.
 *
 * <p>A peer that has dialled and of which nothing is wanted is at rest: it is pinged only after as much silence as makes others
 * suspect, and that silence is not counted. A server has many such peers, and pings would be most of what they cost.
 */
final class Heartbeat {

    /** How many intervals of silence count as one while the peer does not take what is written. */
    static final int UNREAD_INTERVALS = 4;

    private final Link link;
    private final UnreadGate gate;
    private final AtomicBoolean counting =
            new AtomicBoolean(); // guards what is counted, from beat to the end of the interval
    private volatile boolean heard; // a frame, since the last interval
    private boolean asked = true; // since a frame has come to a link at rest
    private int quiet; // intervals without a frame or a ping
    private int unread;
    private @Nullable Pulse pulse;
    private volatile boolean suspect; // written on the event thread

    Heartbeat(Link link, UnreadGate gate) {
        this.link = link;
        this.gate = gate;
    }

    /** A frame has come. Event thread only. */
    void onFrame() {
        if (!heard) {
            heard = true;
        }
    }

    boolean isSuspect() {
        return suspect;
    }

    /** An interval has passed. From any thread. */
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
            counting.set(false); // before the ping: who has seen it may count on the next interval
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

    /** Whether the peer need not be pinged now: nobody waits for it. Not left to the event thread, which thousands would wake. */
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
        if (gate.isHeld()) { // its silence is not its own; that it reads is the sign of life
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
