package dev.cleave.config;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the calls of a service reach its replicas and are executed.
 *
 * @param route direct unless set
 * @param balance round-robin unless set
 * @param workers threads that execute calls, per replica; null for the node's own
 * @param queue the most calls that wait for a worker, per replica; null for the node's own
 * @param link the emulated link to its replicas, or null for the real one
 * @param migrate the links on which waiting calls move between replicas; none unless set
 */
public record Dispatch(
        Route route,
        Balance balance,
        @Nullable Integer workers,
        @Nullable Integer queue,
        @Nullable EmulatedLink link,
        List<Linkage> migrate) {

    /** The settings without a file. */
    public static final Dispatch DEFAULT =
            new Dispatch(Route.DIRECT, new Balance.RoundRobin(), null, null, null, List.of());

    /** Checks and copies its components. */
    public Dispatch {
        requireNonNull(route, "route");
        requireNonNull(balance, "balance");
        migrate = List.copyOf(migrate);
    }

    /** The same with these links on which waiting calls move. */
    public Dispatch migrating(List<Linkage> next) {
        return new Dispatch(route, balance, workers, queue, link, next);
    }

    /** The same with this balance policy. */
    public Dispatch with(Balance next) {
        return new Dispatch(route, next, workers, queue, link, migrate);
    }
}
