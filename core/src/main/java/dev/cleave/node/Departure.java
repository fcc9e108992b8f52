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
 * A node that leaves without losing a call. First the broker hears that its services are gone, then everybody who has dialled it is
 * told to make no more calls here, and closes the connection when those under way have ended. What the broker relays has no such
 * word: it is over when nothing has run, and no large result was on its way, for {@link #QUIET}.
 */
final class Departure {

    static final Duration QUIET = Duration.ofMillis(250);

    private static final System.Logger LOG = SafeLog.of(Departure.class);
    private static final Duration LOOK = Duration.ofMillis(10);

    private final Server server;
    private final NodeLinks links;
    private final Timer timer;
    private final CountDownLatch gone = new CountDownLatch(1);
    private long busyAt; // timer thread only, from the first look on

    Departure(Server server, NodeLinks links, Timer timer) {
        this.server = server;
        this.links = links;
        this.timer = timer;
        busyAt = timer.nanos();
    }

    /** Says good bye and waits; false if something is still under way after the time. */
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
        if (load.queued() > 0 || load.running() > 0 || links.areSending()) {
            busyAt = now;
        }
        return links.accepted() == 0 && now - busyAt >= QUIET.toNanos();
    }
}
