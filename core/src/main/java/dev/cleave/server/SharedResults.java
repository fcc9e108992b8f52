package dev.cleave.server;

import dev.cleave.serial.WrittenValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The fetches of results of one lane by other servers. They may come before the lane is known here, and wait then.
 * Guarded by the {@link Lanes}; futures are completed outside of that lock.
 */
final class SharedResults {

    private final Map<Integer, List<Fetch>> wanted = new HashMap<>(); // by call
    private @Nullable Owner lane;

    /** The lane whose results they are. */
    interface Owner {

        /** Returns the result of a call; null if the lane has none, or none yet. */
        @Nullable
        WrittenValue result(int call);

        /** Whether a call may yet have a result. */
        boolean mayHaveResult(int call);
    }

    /**
     * A fetch that waits.
     *
     * @param future is completed with the result
     * @param by the peer that fetches
     */
    record Fetch(CompletableFuture<WrittenValue> future, Object by) {}

    /** Names the lane, once it is known. */
    void of(Owner queue) {
        lane = queue;
    }

    @Nullable
    Owner lane() {
        return lane;
    }

    /** Adds one that waits for the result of a call. */
    void add(int call, Fetch fetch) {
        wanted.computeIfAbsent(call, c -> new ArrayList<>(1)).add(fetch);
    }

    /** Takes out those that wait for the result of a call. */
    List<Fetch> take(int call) {
        List<Fetch> taken = wanted.remove(call);
        return taken == null ? List.of() : taken;
    }

    /** Takes out one that waits for a peer; null if there is none. */
    @Nullable
    Fetch takeOneOf(Object peer) {
        for (Iterator<List<Fetch>> calls = wanted.values().iterator(); calls.hasNext(); ) {
            List<Fetch> waiting = calls.next();
            for (Fetch each : waiting) {
                if (each.by().equals(peer)) {
                    waiting.remove(each);
                    if (waiting.isEmpty()) {
                        calls.remove();
                    }
                    return each;
                }
            }
        }
        return null;
    }

    /** Whether none waits. */
    boolean isEmpty() {
        return wanted.isEmpty();
    }

    /** All that wait. */
    List<Fetch> waiting() {
        return wanted.values().stream().flatMap(List::stream).toList();
    }

    /** The calls whose results are waited for. */
    List<Integer> calls() {
        return List.copyOf(wanted.keySet());
    }
}
