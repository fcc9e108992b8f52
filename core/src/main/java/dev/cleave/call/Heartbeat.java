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
 */
final class Heartbeat {

    /** How many intervals of silence count as one while the peer does not take what is written. */
    static final int UNREAD_INTERVALS = 4;

    private final Link link;
    private final AtomicBoolean queued = new AtomicBoolean();
    private boolean heard; // event thread only
    private int unread; // event thread only
    private @Nullable Pulse pulse; // event thread only
    private volatile boolean suspect; // written on the event thread

    Heartbeat(Link link) {
        this.link = link;
    }

    /** A frame has come. Event thread only. */
    void onFrame() {
        heard = true;
    }

    boolean isSuspect() {
        return suspect;
    }

    /** An interval has passed. From any thread. */
    void beat(Pings pings) {
        if (link.isClosed() || !queued.compareAndSet(false, true)) {
            return;
        }
        try {
            link.connection().execute(() -> onInterval(pings));
        } catch (RejectedExecutionException e) {
            suspect = false; // the transport has been closed, and the link with it
        }
    }

    private void onInterval(Pings pings) {
        queued.set(false);
        link.closeIfDone();
        if (link.isClosed()) {
            return;
        }
        Pulse known = pulse;
        if (known == null) {
            known = new Pulse(ReplicaState.UP, pings.suspectAfter(), pings.downAfter());
            pulse = known;
        }
        count(known);
        if (known.state() == ReplicaState.DOWN) {
            link.lose("no sign of life for " + pings.down().toMillis() + " ms");
            return;
        }
        boolean wasSuspect = suspect;
        suspect = known.state() == ReplicaState.SUSPECT;
        link.write(new Ping(0).write(link.connection().allocator()));
        link.flush();
        if (suspect != wasSuspect) {
            link.suspicionChanged();
        }
        if (suspect) {
            link.suspectCalls();
        }
    }

    private void count(Pulse known) {
        if (heard) {
            heard = false;
            known.onSign();
        } else if (link.connection().isWritable() || ++unread % UNREAD_INTERVALS == 0) {
            known.onSilence();
        }
    }
}
