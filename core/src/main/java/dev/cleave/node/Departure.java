package dev.cleave.node;

import dev.cleave.CallException;
import dev.cleave.client.BrokerSession;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import dev.cleave.server.Server;
import dev.cleave.wire.Load;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Lets a node leave without losing a call. First it tells the broker that its services are gone. Then it tells every
 * peer that has dialled it to make no more calls here; the peer closes the connection when the calls in flight have
 * ended. For relayed calls there is no such message: they are over when no call has run, and no large result was on its
 * way, for {@link #QUIET}.
 */
final class Departure {

    static final Duration QUIET = Duration.ofMillis(250);

    private static final System.Logger LOG = SafeLog.of(Departure.class);
    private static final Duration LOOK = Duration.ofMillis(10);

    private final Server server;
    private final NodeLinks links;
    private final Timer timer;
    private final boolean isAtExit;
    private final CountDownLatch gone = new CountDownLatch(1);
    private long busyAt; // timer thread only, once the waiting has begun

    /**
     * Creates the departure of a node.
     *
     * @param isAtExit whether the JVM ends: a call whose method ends it, by {@link System#exit}, cannot end before
     */
    Departure(Server server, NodeLinks links, Timer timer, boolean isAtExit) {
        this.isAtExit = isAtExit;
        this.server = server;
        this.links = links;
        this.timer = timer;
        busyAt = timer.nanos();
    }

    /** Announces the departure and waits; false if calls or results are still in flight after the time. */
    boolean await(BrokerSession broker, String replica, Duration most) {
        for (String service : server.services()) {
            try {
                broker.unregister(service, replica);
            } catch (CallException e) { // the broker leaves too, or will notice
                LOG.log(System.Logger.Level.DEBUG, "not unregistered: {0}", e.getMessage());
            }
        }
        links.sendAway("the server leaves");
        look();
        try {
            return gone.await(most.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void look() {
        try {
            if (isQuiet()) {
                gone.countDown();
            }
        } finally { // also after an Error
            if (gone.getCount() > 0) {
                Timer.Timeout unused = timer.schedule(LOOK, this::look);
            }
        }
    }

    private boolean isQuiet() {
        Load load = server.load();
        long now = timer.nanos();
        int exiting = isAtExit && load.running() > 0 ? server.exiting() : 0;
        if (load.queued() > 0 || load.running() > exiting || links.areSending()) {
            busyAt = now;
        }
        return (links.accepted() == 0 || exiting > 0) && now - busyAt >= QUIET.toNanos();
    }
}
