package dev.cleave.rmi;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import java.rmi.server.Unreferenced;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Keeps objects whose last caller has lost its connection for the time of a lease, as RMI does, and tells objects that
 * want to know that no caller has them any more. Thread-safe.
 */
final class Leases {

    /** RMI's own property: how long a client that is silent keeps its objects, in milliseconds. */
    private static final long LEASE_MILLIS = Long.getLong("java.rmi.dgc.leaseValue", 600_000);

    private static final System.Logger LOG = SafeLog.of(Leases.class);

    private final Predicate<Object> isHeld;
    private final Map<Object, Integer> waiting = new IdentityHashMap<>(); // guarded by itself
    private final Timer timer;

    /** Creates the leases of a process, which asks {@code isHeld} whether a caller has an object. */
    Leases(Predicate<Object> isHeld, Timer timer) {
        this.isHeld = isHeld;
        this.timer = timer;
    }

    /** No caller has an object any more; it is kept for a while if the last one has lost its connection. */
    void left(Object object, boolean isLost) {
        synchronized (waiting) {
            waiting.merge(object, 1, Integer::sum);
        }
        timer.schedule(Duration.ofMillis(isLost ? LEASE_MILLIS : 0), () -> end(object));
    }

    private void end(Object object) {
        boolean isLast;
        synchronized (waiting) {
            isLast = waiting.merge(object, -1, Integer::sum) == 0;
            if (isLast) {
                waiting.remove(object);
            }
        }
        if (isLast && object instanceof Unreferenced listener && !isHeld.test(object)) {
            Thread thread = new Thread(() -> tell(listener), "RMI Unreferenced-0");
            thread.setDaemon(true);
            thread.start();
        }
    }

    private static void tell(Unreferenced listener) {
        try {
            listener.unreferenced();
        } catch (Throwable e) { // user code
            LOG.log(
                    System.Logger.Level.WARNING,
                    "unreferenced of " + listener.getClass().getName(),
                    e);
        }
    }
}
