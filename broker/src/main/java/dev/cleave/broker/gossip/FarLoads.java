package dev.cleave.broker.gossip;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.wire.Load;
import dev.cleave.wire.Loads;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The loads of replicas that are connected to other brokers of the cluster, as these have told them, and the services of which
 * this broker wants loads: those for which a call found no room here a short time ago.
 *
 * <p>Room is used up: each call that is sent to a replica takes one place of the room that its broker has told, until that broker
 * tells more. It tells of each call that has come; of a place that was taken more than {@link #LOST} ago without a word, the call
 * has ended on its way, and the place is free again. The word of a broker does not count while nothing was heard of the broker for {@link #FRESH}. Thread-safe.
 */
public final class FarLoads {

    /** How long loads of a service are wanted after a call has found no room. */
    public static final Duration WANTED = Duration.ofSeconds(10);

    /** How long the word of a broker counts of which nothing is heard. */
    public static final Duration FRESH = Duration.ofSeconds(3);

    /** How long a call that took a place at another broker is believed to be on its way. */
    static final Duration LOST = Duration.ofSeconds(2);

    private final LongSupplier nanos;
    private final Map<String, Long> wanted = new ConcurrentHashMap<>(); // by service: when a call last found no room
    private final Map<String, Long> heard = new ConcurrentHashMap<>(); // by the endpoint of a broker
    private final AtomicLong sent = new AtomicLong();
    private volatile Runnable whenWanted = () -> {};

    @GuardedBy("this")
    private final Map<String, Map<String, Far>> services = new HashMap<>(); // by service, by replica

    /** A replica at another broker. */
    private static final class Far {

        private final String home;
        private final long fence;
        private final Load load;
        private final int told;
        private int room;
        private long takenAt;

        private Far(String home, long fence, Load load, int told) {
            this.home = home;
            this.fence = fence;
            this.load = load;
            this.told = told;
            room = told;
        }

        private boolean hasRoom(long now) {
            if (room < told && now - takenAt >= LOST.toNanos()) {
                room = told;
            }
            return room > 0;
        }
    }

    /**
     * Creates an empty table.
     *
     * @param nanos the clock; never goes back
     */
    public FarLoads(LongSupplier nanos) {
        this.nanos = requireNonNull(nanos, "nanos");
    }

    /** Sets a task that runs, on any thread, when a service is wanted that was not. */
    public void onWanted(Runnable task) {
        whenWanted = requireNonNull(task, "task");
    }

    /**
     * Takes a place at a replica that is connected to another broker, for a call that finds no room here; null if none is known.
     * The service is wanted from now on.
     */
    public @Nullable String take(String service) {
        if (wanted.put(service, nanos.getAsLong()) == null) {
            whenWanted.run();
        }
        String replica = taken(service);
        if (replica != null) {
            sent.incrementAndGet();
        }
        return replica;
    }

    private synchronized @Nullable String taken(String service) {
        long now = nanos.getAsLong();
        String best = null;
        Far most = null;
        for (Map.Entry<String, Far> entry :
                services.getOrDefault(service, Map.of()).entrySet()) {
            Far far = entry.getValue();
            if (far.hasRoom(now) && (most == null || far.room > most.room) && isFresh(far.home)) {
                best = entry.getKey();
                most = far;
            }
        }
        if (most != null) {
            most.room--;
            most.takenAt = now;
        }
        return best;
    }

    /** Whether {@link #take} would find a place. */
    public synchronized boolean hasRoom(String service) {
        long now = nanos.getAsLong();
        return services.getOrDefault(service, Map.of()).values().stream()
                .anyMatch(far -> far.hasRoom(now) && isFresh(far.home));
    }

    /** How many calls {@link #take} has found a place for. */
    public long sent() {
        return sent.get();
    }

    /** The number of replicas of which a load is known. */
    public synchronized int size() {
        return services.values().stream().mapToInt(Map::size).sum();
    }

    /**
     * The services that are wanted; those that were not for {@link #WANTED} are forgotten.
     *
     * @param held whether calls of a service wait here: it is wanted as long as they do
     */
    Set<String> wanted(Predicate<String> held) {
        long now = nanos.getAsLong();
        wanted.entrySet().removeIf(each -> now - each.getValue() >= WANTED.toNanos() && !held.test(each.getKey()));
        return new HashSet<>(wanted.keySet());
    }

    /** Notes a sign of life of the broker at an endpoint. */
    public void heard(String home) {
        heard.put(home, nanos.getAsLong());
    }

    private boolean isFresh(String home) {
        Long at = heard.get(home);
        return at != null && nanos.getAsLong() - at < FRESH.toNanos();
    }

    /** Takes the load that a broker has told of one of its replicas. */
    synchronized void told(String home, String service, long fence, Loads.Replica said) {
        services.computeIfAbsent(service, s -> new HashMap<>())
                .put(said.name(), new Far(home, fence, said.load(), said.room()));
    }

    /** Forgets all of a service. */
    synchronized void forget(String service) {
        services.remove(service);
    }

    /** Forgets the word of a broker: its connection, or its membership, has ended. */
    synchronized void lost(String home) {
        heard.remove(home);
        services.values().forEach(known -> known.values().removeIf(far -> far.home.equals(home)));
        services.values().removeIf(Map::isEmpty);
    }

    /** Forgets what was told by brokers that are no members any more, or in an epoch that has ended. */
    synchronized void keep(Map<String, Long> fences) {
        heard.keySet().retainAll(fences.keySet());
        services.values().forEach(known -> known.values()
                .removeIf(far -> !fences.containsKey(far.home) || far.fence < fences.get(far.home)));
        services.values().removeIf(Map::isEmpty);
    }

    /** The load of a replica, as its broker has told it; null if it has not. */
    public synchronized @Nullable Load load(String service, String replica) {
        Far far = services.getOrDefault(service, Map.of()).get(replica);
        return far == null ? null : far.load;
    }
}
