package dev.cleave.broker.relay;

import dev.cleave.wire.LaneShare;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The relayed lanes whose results other servers may fetch, by their keys. {@link RelayedLanes} bounds how many of one
 * client there are. Thread-safe.
 */
final class SharedLanes {

    private final Map<Key, Pair.Server> servers = new ConcurrentHashMap<>();

    private record Key(long high, long low) {}

    /** Records which server runs the calls of a lane; the first one that showed a key keeps it. */
    void add(LaneShare lane, Pair.Server by) {
        servers.putIfAbsent(new Key(lane.high(), lane.low()), by);
    }

    /** A lane of a server has ended. */
    void remove(LaneShare lane, Pair.Server of) {
        servers.remove(new Key(lane.high(), lane.low()), of);
    }

    /** Returns the server that runs the calls of the lane of a key; null if there is none. */
    Pair.@Nullable Server server(long high, long low) {
        return servers.get(new Key(high, low));
    }

    boolean isEmpty() {
        return servers.isEmpty();
    }
}
