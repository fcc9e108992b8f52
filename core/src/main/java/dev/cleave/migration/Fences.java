package dev.cleave.migration;

import dev.cleave.metrics.Refusals;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The newest token, for each service, of the brokers that have moved its calls. A claim with an older one is void: another broker
 * moves the calls now, and the one that claims does not know it yet. Thread-safe.
 */
public final class Fences {

    private final Map<String, Long> newest = new ConcurrentHashMap<>(0);

    /**
     * Whether a token of a service is not older than those before; counts the refusal if it is.
     *
     * @param service one of a few that are known here: a name takes memory
     * @param fence 0 from a broker that is alone, which is never refused
     */
    public boolean takes(String service, long fence) {
        if (fence == 0 || newest.merge(service, fence, Math::max) == fence) {
            return true;
        }
        Refusals.count("migration.fence");
        return false;
    }
}
