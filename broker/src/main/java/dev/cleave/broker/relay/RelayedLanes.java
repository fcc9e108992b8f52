package dev.cleave.broker.relay;

import dev.cleave.transport.Connection;
import dev.cleave.wire.Lane;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.LaneShare;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The server to which the calls of each lane of one client go. Event thread only.
 *
 * <p>A chain or group that is not known here, because a call of it was refused or its server is gone, is over: further
 * calls in it are refused, so that no call overtakes a refused one.
 */
final class RelayedLanes {

    /** The most lanes of a client whose server is kept. */
    static final int MOST = 1024;

    private final ClientSide client;
    private final SharedLanes shared;
    private final Map<Long, Pair.Server> servers = new HashMap<>();
    private final Map<Long, List<LaneShare>> keys = new HashMap<>(); // of lanes whose results servers fetch

    /**
     * Creates one without lanes.
     *
     * @param shared the lanes of all clients whose results servers fetch
     */
    RelayedLanes(ClientSide client, SharedLanes shared) {
        this.client = client;
        this.shared = shared;
    }

    /** Returns the server that a call in a lane has to go to, null if any will do. */
    Pair.@Nullable Server server(Lane lane) {
        return lane.isSticky() && !lane.isFirst() ? servers.get(lane.id()) : null;
    }

    /** Whether a call must be refused: its chain or group is over, or cannot be kept. */
    boolean isBroken(@Nullable Lane lane, Pair.@Nullable Server bound) {
        if (lane == null || !lane.isSticky() || bound != null) {
            return false;
        }
        return !lane.isFirst() || servers.size() >= MOST || servers.containsKey(lane.id());
    }

    /** Records that a server has taken a call of a lane. */
    void opened(Lane lane, Pair.Server by) {
        if (lane.isSticky() && servers.size() < MOST) {
            servers.put(lane.id(), by);
        }
    }

    /** Records that a call of a lane was refused: a chain or group is over. */
    void breakOff(@Nullable Lane lane) {
        if (lane != null && lane.isSticky()) {
            Connection unused = end(lane.id());
        }
    }

    /**
     * Lets other servers fetch results of a lane; returns the connection of its server, which has been told, null if there
     * is none.
     */
    @Nullable
    Connection share(LaneShare said) {
        Pair.Server server = servers.get(said.id());
        Pair pair = server == null ? null : client.known(server);
        List<LaneShare> known = keys.getOrDefault(said.id(), List.of());
        if (server == null || pair == null || known.size() >= LaneShare.MOST || known.contains(said)) {
            return null;
        }
        keys.computeIfAbsent(said.id(), id -> new ArrayList<>(1)).add(said);
        shared.add(said, server);
        Connection to = server.connection();
        to.write(new LaneShare(pair.clientNumber(), said.id(), said.high(), said.low()).write(to.allocator()));
        return to;
    }

    /** Ends a lane; returns the connection of the server that has been told, null if none has. */
    @Nullable
    Connection end(long lane) {
        Pair.Server server = servers.remove(lane);
        forget(lane, server);
        Pair pair = server == null ? null : client.known(server);
        if (server == null || pair == null) {
            return null;
        }
        Connection to = server.connection();
        to.write(new LaneEnd(pair.clientNumber(), lane).write(to.allocator()));
        return to;
    }

    void close() {
        servers.forEach(this::forget);
        servers.clear();
    }

    /** Lets no server fetch results of a lane any more. */
    private void forget(long lane, Pair.@Nullable Server server) {
        List<LaneShare> known = keys.remove(lane);
        if (known != null && server != null) {
            known.forEach(key -> shared.remove(key, server));
        }
    }

    boolean isEmpty() {
        return servers.isEmpty();
    }
}
