package dev.cleave.lab.cluster;

import dev.cleave.migration.Grants;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A replica that gets orders to move its calls from brokers that believe that they own the moves of its service. It refuses them as
 * replicas of production do. Orders take up to two seconds, or up to twenty if the broker stands still before it sends: meanwhile another broker may have
 * become the owner.
 */
final class SimulatedOrders {

    private final Timeline timeline;
    private final @Nullable StoreDefect defect;
    private final Consumer<String> breaks;
    private final Grants.Fences fences = new Grants.Fences();
    private final Map<Long, String> owners = new HashMap<>(); // by token
    private long newest;

    SimulatedOrders(Timeline timeline, @Nullable StoreDefect defect, Consumer<String> breaks) {
        this.timeline = timeline;
        this.defect = defect;
        this.breaks = breaks;
    }

    /** Sends the order of a broker that moves calls with a token. */
    void send(String broker, long token) {
        String other = owners.putIfAbsent(token, broker);
        if (other != null && !other.equals(broker)) {
            breaks.accept(other + " and " + broker + " both move calls with token " + token);
        }
        timeline.after(1 + timeline.upTo(timeline.upTo(10) == 0 ? 20_000 : 2_000), () -> arrives(broker, token));
    }

    private void arrives(String broker, long token) {
        if (defect != StoreDefect.UNFENCED && !fences.takes(SimulatedReplica.SERVICE, token)) {
            return;
        }
        if (token < newest) {
            breaks.accept("a replica takes an order of " + broker + " with token " + token + ", after one of "
                    + owners.get(newest) + " with token " + newest);
        }
        newest = Math.max(newest, token);
    }
}
