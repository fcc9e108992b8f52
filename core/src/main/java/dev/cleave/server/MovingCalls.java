package dev.cleave.server;

import dev.cleave.call.Link;
import dev.cleave.concurrent.Timer;
import dev.cleave.migration.Grants;
import dev.cleave.wire.CallClaim;
import dev.cleave.wire.CallGrant;
import dev.cleave.wire.LoadWatch;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** The services of a node whose waiting calls may move to other replicas, as the broker has asked. Thread-safe. */
final class MovingCalls {

    private final Timer timer;
    private final Map<String, LoadTeller> tellers = new ConcurrentHashMap<>();
    private final Grants.Fences fences = new Grants.Fences();
    private final Map<String, AtomicLong> arrived = new ConcurrentHashMap<>(); // by service, from one watch to the next

    MovingCalls(Timer timer) {
        this.timer = timer;
    }

    /** Handles that the broker asks for the load of a service, or no longer. */
    void watched(Link broker, LoadWatch watch, @Nullable Dispatcher dispatcher) {
        removed(watch.service());
        if (dispatcher != null && !watch.edges().isEmpty()) {
            LoadTeller teller = new LoadTeller(
                    broker, watch, dispatcher, arrived.computeIfAbsent(watch.service(), s -> new AtomicLong()), timer);
            tellers.put(watch.service(), teller);
            teller.start();
        }
    }

    /** Handles that the broker claims calls for another replica. */
    void claimed(Link broker, CallClaim claim) {
        LoadTeller teller = tellers.get(claim.service());
        if (teller != null && teller.tells(broker) && fences.takes(claim.service(), claim.fence())) {
            teller.give(claim);
        } else {
            broker.answer(new CallGrant(claim.epoch(), claim.service(), claim.receiver(), 0, 0, 0));
            broker.flush();
        }
    }

    /** Counts a call that waited at another replica before. */
    void arrived(String service) {
        AtomicLong count = arrived.get(service);
        if (count != null) {
            count.incrementAndGet();
        }
    }

    /** Forgets a service that is not served any more. */
    void removed(String service) {
        LoadTeller teller = tellers.remove(service);
        if (teller != null) {
            teller.end();
        }
    }

    /** Forgets the requests of a link that has closed. */
    void closed(Link link) {
        tellers.entrySet().removeIf(entry -> {
            boolean isGone = entry.getValue().tells(link);
            if (isGone) {
                entry.getValue().end();
            }
            return isGone;
        });
    }
}
