package dev.cleave.server;

import dev.cleave.serial.WrittenValue;
import dev.cleave.wire.PendingArgument;
import dev.cleave.wire.SharedLane;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** The results of calls of other servers that one call needs as arguments, on their way here. Thread-safe. */
final class FetchedResults {

    private final Map<PendingArgument, CompletableFuture<WrittenValue>> results = new HashMap<>();
    private final CompletableFuture<Void> all;

    /**
     * Begins to fetch.
     *
     * @param lacking the arguments of a call; those of its own lane are left out
     * @param lanes the lanes of other servers, by number from 1
     * @param source fetches the result of a call of a lane; its future always ends
     */
    FetchedResults(
            List<PendingArgument> lacking,
            List<SharedLane> lanes,
            BiFunction<SharedLane, Integer, CompletableFuture<WrittenValue>> source) {
        for (PendingArgument each : lacking) {
            if (each.lane() > 0) {
                results.computeIfAbsent(each, e -> source.apply(lanes.get(e.lane() - 1), e.asked()));
            }
        }
        all = CompletableFuture.allOf(results.values().toArray(new CompletableFuture<?>[0]));
    }

    /** Whether all have come, or will not come. */
    boolean areHere() {
        return all.isDone();
    }

    /** Runs a task when all have come or will not come. */
    void whenHere(Runnable task) {
        CompletableFuture<Void> unused = all.whenComplete((nothing, failure) -> task.run());
    }

    /** A result that has come; null if it will not come. */
    @Nullable
    WrittenValue result(PendingArgument argument) {
        CompletableFuture<WrittenValue> result = results.get(argument);
        return result == null || result.isCompletedExceptionally() ? null : result.getNow(null);
    }
}
