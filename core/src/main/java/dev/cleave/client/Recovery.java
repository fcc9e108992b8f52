package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Link;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.concurrent.Timer;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.Recall;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

/**
 * Asks the server of a call whose connection broke for the outcome, over another connection: a server that still runs
 * has it in its reply cache. A call that may not overtake another one asks when that has ended.
 */
final class Recovery {

    /** The most questions for one call: the next connection may break, too. */
    private static final int MOST = 16;

    /**
     * The most attempts to connect to a server; one that is gone for good is soon unknown. A server that accepts
     * connections which break again is tried until the deadline.
     */
    private static final int MOST_MISSED = 5;

    /** The wait before the first further attempt. */
    static final Duration PAUSE = Duration.ofMillis(150);

    /** The longest wait while connections break, as a multiple of {@link #PAUSE}. */
    private static final int LONGEST_PAUSE = 4;

    private final OutboundCall call;
    private final ServiceRoute route;
    private final Resends resends;
    private final Timer timer;
    private final Consumer<String> doubt;
    private final ConnectionName connection;
    private final long number;
    private final long beganNanos;
    private final long patienceNanos;
    private int asked; // number of questions
    private int missed; // attempts to connect that failed; by one thread at a time
    private int broke; // connections that broke as soon as they were made; by one thread at a time
    private volatile boolean isInVain; // the server cannot be asked any more

    /**
     * Creates a recovery that has not asked yet.
     *
     * @param broken the way by which the call was sent
     * @param doubt told, with the reason, when the server cannot be asked for the outcome
     */
    Recovery(OutboundCall call, CalledService service, Hop broken, Consumer<String> doubt) {
        this.call = requireNonNull(call, "call");
        this.doubt = requireNonNull(doubt, "doubt");
        route = service.route(call.method());
        resends = service.resends();
        timer = service.timer();
        connection = broken.link().number();
        number = call.journey().id();
        beganNanos = timer.nanos();
        patienceNanos = call.remaining();
    }

    /** Whether the peer at the end of a broken way can be asked for outcomes. */
    static boolean canBeAsked(Hop broken) {
        return broken.peer() == 0
                && !broken.link().number().isNone()
                && !broken.link().isGivenUp();
    }

    /** Asks soon; returns false if the server cannot be asked. On an event thread. */
    boolean ask(Hop broken, String why) {
        if (isInVain || ++asked > MOST) {
            return false;
        }
        Ordered before = call.before();
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
        resends.recall(() -> askNow(broken, why), broken.replica() == null);
    }

    /** Asks for the outcome. Every path ends the call, puts it on a way, or schedules another attempt. */
    private void askNow(Hop broken, String why) {
        Hop way = null;
        long entered = -1;
        try {
            way = call.isDone() ? null : route.again(broken, call.remaining());
            if (way != null && !way.link().number().isNone()) {
                entered = call.journey().enter(call, way);
            }
            if (way == null || entered <= 0) {
                boolean isThere = way != null && way.link().isClosed();
                if (way != null) {
                    way.leave();
                }
                isNotReached(broken, why, isThere, isThere);
                return;
            }
            broken.link().connection().wakeWaiting(); // its threads have to wait on the new connection
            Link link = way.link();
            link.write(new Recall(entered, connection, number)
                    .write(link.connection().allocator()));
            link.flush();
        } catch (NoHopException e) { // the next connection broke, too, while it was made
            isNotReached(broken, why, true, e.getCause() instanceof TransportException failure && failure.wasReached());
        } catch (Throwable e) { // an Error, too
            if (way == null || entered <= 0 || way.link().forget(entered)) {
                isInDoubt(why + ", then " + e);
            }
        }
    }

    /**
     * Handles that the server could not be asked.
     *
     * @param mayComeLater whether there may be a way later
     * @param isThere whether the server can be connected to
     */
    private void isNotReached(Hop broken, String why, boolean mayComeLater, boolean isThere) {
        if (!mayComeLater || !askLater(broken, why, isThere)) {
            broken.link().connection().wakeWaiting();
            isInDoubt(why);
        }
    }

    private boolean askLater(Hop broken, String why, boolean isThere) {
        if (isThere ? timer.nanos() - beganNanos >= patienceNanos : isGone(broken)) {
            return false;
        }
        Duration pause = PAUSE;
        if (isThere) {
            missed = 0;
            broke = Math.min(broke + 1, LONGEST_PAUSE);
            pause = PAUSE.multipliedBy(broke);
        }
        resends.later(pause, () -> recall(broken, why), closed -> isInDoubt(why));
        return true;
    }

    /** Counts a failed attempt to connect; returns whether the server is given up. */
    private boolean isGone(Hop broken) {
        if (broken.link().isPeerUnreachable()) {
            return true; // another call of the connection has tried as often; the waits of ordered calls would add up
        }
        if (++missed > MOST_MISSED) {
            broken.link().peerIsUnreachable();
            return true;
        }
        return false;
    }

    private void isInDoubt(String why) {
        isInVain = true;
        doubt.accept(why);
    }
}
