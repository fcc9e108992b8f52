package dev.cleave.broker.relay;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.ServiceView;
import dev.cleave.call.LinkCore;
import dev.cleave.concurrent.Timer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Passes calls on from clients to live replicas, and the answers back, without decoding values.
 *
 * <h2>Addresses</h2>
 *
 * On a server's connection each relayed client has a number, and each call an id of the broker's. On a client's
 * connection each server has a number, so that the types which it announces are told from those of other servers; its
 * frames carry it. Both kinds of numbers of one connection come from one supply. What a client announces is kept, and
 * repeated to each server before the first request that may need it.
 *
 * A request that carries such a number goes to the node that has it, whatever its method: so objects are called that no
 * service has, back from server to client or once more from client to server.
 *
 * <h2>Limits</h2>
 *
 * A call that finds each replica with as many calls as the balance policy lets it have is held here ({@link HeldCalls}).
 * A connection has at most {@link #maxPending} calls in flight in each direction; more are refused, unexecuted. A client
 * is not read from while none of the servers that its call could go to takes what is written. A server is not read from while a client
 * that it answers has {@value Pair#MAX_BACKLOG} bytes unread; that client is disconnected if it goes on so for
 * {@link #STALL_LIMIT}.
 *
 * <h2>Ends</h2>
 *
 * When a server's connection breaks, each call in flight there may have run, and its client is told so. When a client's
 * breaks, its calls are cancelled; the server hears that the peer is gone when it has answered the last of them. What it answers is
 * remembered here ({@link ClientMemory}): a client that lives comes back, and asks.
 */
public final class Relay {

    /** The most calls in flight over one connection, in each direction. */
    public static final int MAX_PENDING = 1 << 16;

    /** How long servers wait for a client that does not read. */
    public static final Duration STALL_LIMIT = Duration.ofSeconds(10);

    private final RelayContext context;
    private final Map<Party, RelaySession> sessions = new ConcurrentHashMap<>();
    private Map<RelaySession, Long> stalls = Map.of(); // thread of onStallLimit only

    /**
     * Creates a relay without connections.
     *
     * @param views the replicas of a service, null if there are none
     * @param timer the clock
     * @param maxPending the most calls in flight over one connection, in each direction
     */
    public Relay(Function<String, @Nullable ServiceView> views, Timer timer, int maxPending) {
        context = new RelayContext(views, timer, maxPending);
    }

    /**
     * Takes a connection in.
     *
     * @param party who offers replicas over it
     * @param pressure stops reading from it
     */
    public RelaySession join(Party party, LinkCore<?> core, BackPressure pressure) {
        RelaySession session = new RelaySession(context, core, pressure, () -> leave(party));
        context.joined(party, session.server());
        sessions.put(party, session);
        return session;
    }

    /** {@link #STALL_LIMIT} has passed: ends the connections that have held up servers since the last time. */
    public void onStallLimit() {
        Map<RelaySession, Long> now = new HashMap<>();
        for (RelaySession session : sessions.values()) {
            long stall = session.stall();
            if (stall >= 0 && Objects.equals(stalls.get(session), stall)) {
                session.endStalled(STALL_LIMIT);
            } else if (stall >= 0) {
                now.put(session, stall);
            }
        }
        stalls = now;
    }

    /** Nothing is heard of a server: clients may send elsewhere what they have there. From any thread. */
    public void suspect(Party party) {
        ServerSide server = context.server(party);
        if (server != null) {
            server.suspect();
        }
    }

    /** A call of a service may find room that found none. From any thread. */
    public void onRoom(String service) {
        context.onRoom(service);
    }

    /** Says whether no table has an entry. */
    public boolean isEmpty() {
        return context.isEmpty() && sessions.isEmpty();
    }

    /** Says whether no call is in flight, and no connection knows of another. */
    public boolean isIdle() {
        return sessions.values().stream().allMatch(RelaySession::isEmpty);
    }

    private void leave(Party party) {
        context.left(party);
        sessions.remove(party);
    }
}
