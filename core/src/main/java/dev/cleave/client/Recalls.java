package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Link;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.Recall;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Asks the server of a call whose connection has broken what has become of the call, over another connection: if it lives it
 * remembers. One that may not overtake others asks when the one before it has ended.
 */
final class Recalls {

    /** How often it is asked for one call: the next connection may break, too. */
    private static final int MOST = 16;

    /**
     * How often it is tried again where nobody listens; whoever is gone for good is soon unknown. Where somebody does, and the next
     * connection breaks, too, it is tried until the deadline.
     */
    private static final int MOST_MISSED = 5;

    /** How long it is waited before it is tried again for the first time. */
    static final Duration PAUSE = Duration.ofMillis(150);

    /** How many times as long it is waited at most where connections break. */
    private static final int LONGEST_PAUSE = 4;

    private final ResentCall call;
    private final ConnectionName connection;
    private final long number;
    private final long beganNanos;
    private final long patienceNanos;
    private int asked; // one connection breaks after the other
    private int missed; // where nobody listens; by one thread at a time
    private int broke; // the next connections, while or as soon as they were made; by one thread at a time
    private volatile boolean isInVain; // nobody can say

    /**
     * Creates one that has not asked.
     *
     * @param broken where the call was sent
     */
    Recalls(ResentCall call, Hop broken) {
        this.call = requireNonNull(call, "call");
        connection = broken.link().number();
        number = call.id();
        beganNanos = nanos();
        patienceNanos = call.remaining();
    }

    private long nanos() {
        return call.calls().context().timer().nanos();
    }

    /** Whether what is at the end of a way can be asked when the way has broken. */
    static boolean canBeAsked(@Nullable Hop broken) {
        return broken != null
                && broken.peer() == 0
                && !broken.link().number().isNone()
                && !broken.link().isGivenUp();
    }

    /** Asks, soon; false if that is in vain. On an event thread. */
    boolean ask(Hop broken, String why, @Nullable ResentCall before) {
        if (isInVain || ++asked > MOST) {
            return false;
        }
        if (before == null) {
            return submit(broken, why);
        }
        before.onEnd(() -> {
            if (!submit(broken, why)) {
                isInDoubt(why);
            }
        });
        return true;
    }

    private boolean submit(Hop broken, String why) {
        try {
            recall(broken, why);
            return true;
        } catch (RejectedExecutionException e) { // the node is closing
            return false;
        }
    }

    private void recall(Hop broken, String why) {
        call.calls().resends().recall(() -> ask(broken, why), broken.replica() == null);
    }

    private void ask(Hop broken, String why) {
        Hop way = null;
        boolean mayComeLater = false;
        boolean isThere = false;
        try {
            way = call.isDone() ? null : call.route().again(broken, call.remaining());
        } catch (NoHopException e) { // the next connection has broken, too, while it was made
            mayComeLater = true;
            isThere = e.getCause() instanceof TransportException failure && failure.wasReached();
        }
        boolean entered = way != null && !way.link().number().isNone() && call.enter(way);
        if (way == null || !entered) {
            if (way != null) {
                mayComeLater = way.link().isClosed();
                isThere = mayComeLater;
                way.leave();
            }
            if (!mayComeLater || !askLater(broken, why, isThere)) {
                broken.link().connection().wakeWaiting();
                isInDoubt(why);
            }
            return;
        }
        broken.link().connection().wakeWaiting(); // who waits there is to wait where the answer comes
        Link link = way.link();
        link.write(new Recall(call.id(), connection, number)
                .write(link.connection().allocator()));
        link.flush();
    }

    private boolean askLater(Hop broken, String why, boolean isThere) {
        if (isThere ? nanos() - beganNanos >= patienceNanos : isGone(broken)) {
            return false;
        }
        Duration pause = PAUSE;
        if (isThere) {
            missed = 0;
            broke = Math.min(broke + 1, LONGEST_PAUSE);
            pause = PAUSE.multipliedBy(broke);
        }
        call.calls().resends().later(pause, () -> recall(broken, why), closed -> isInDoubt(why));
        return true;
    }

    /** Nobody listens there: says whether that has been so for long. */
    private boolean isGone(Hop broken) {
        if (broken.link().isPeerUnreachable()) {
            return true; // another call of the connection has tried as often; in an order they would add up
        }
        if (++missed > MOST_MISSED) {
            broken.link().peerIsUnreachable();
            return true;
        }
        return false;
    }

    private void isInDoubt(String why) {
        isInVain = true;
        call.isInDoubt(why);
    }
}
