package dev.cleave.broker.registry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The services whose last replica was lost a short time ago, and not withdrawn: it may come back. At most {@link
 * Limits#SERVICES}; the registry's thread writes, any thread reads.
 */
final class LostServices {

    private final Map<String, Long> until = new ConcurrentHashMap<>();
    private volatile Duration most = Duration.ZERO;

    /** Remembers each service for a time from now on; zero for none. */
    void rememberFor(Duration time) {
        most = time;
    }

    /** Notes that a service has lost its last replica. */
    void lost(String service, long now) {
        if (!most.isZero() && until.size() < Limits.SERVICES) {
            until.put(service, now + most.toNanos());
        }
    }

    /** Forgets a service that has a replica again, or whose last one was withdrawn. */
    void forget(String service) {
        until.remove(service);
    }

    /** Forgets the services whose time is over, and returns them. */
    List<String> expire(long now) {
        List<String> ended = new ArrayList<>();
        until.forEach((service, at) -> {
            if (at - now <= 0) {
                ended.add(service);
            }
        });
        ended.forEach(until::remove);
        return ended;
    }

    /** Whether a service lost its last replica a short time ago. */
    boolean has(String service) {
        return until.containsKey(service);
    }
}
