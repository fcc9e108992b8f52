package dev.cleave.server;

import dev.cleave.serial.WrittenValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The fetches of results of one lane by other servers. They may come before the lane is known here, and wait then.
 * Guarded by the {@link Lanes}; futures are completed outside of that lock.
 */
final class SharedResults {

    private final Map<Integer, List<CompletableFuture<WrittenValue>>> wanted = new HashMap<>(); // by call
    private @Nullable LaneQueue lane;

    /** Names the lane, once it is known. */
    void of(LaneQueue queue) {
        lane = queue;
    }

    @Nullable
    LaneQueue lane() {
        return lane;
    }

    /** Adds one that waits for the result of a call. */
    void add(int call, CompletableFuture<WrittenValue> future) {
        wanted.computeIfAbsent(call, c -> new ArrayList<>(1)).add(future);
    }

    /** Takes out those that wait for the result of a call. */
    List<CompletableFuture<WrittenValue>> take(int call) {
        List<CompletableFuture<WrittenValue>> taken = wanted.remove(call);
        return taken == null ? List.of() : taken;
    }

    /** The calls whose results are waited for. */
    List<Integer> calls() {
        return List.copyOf(wanted.keySet());
    }
}
