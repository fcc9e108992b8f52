package dev.cleave.broker.relay;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.ServiceView;
import dev.cleave.call.Memories;
import dev.cleave.concurrent.Timer;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What all connections of one relay share: the servers, the calls that wait for room, the requests that are kept. Thread-safe. */
final class RelayContext {

    private final Function<String, @Nullable ServiceView> views;
    private final Timer timer;
    private final int maxPending;
    private final Memories memories;
    private final Map<Party, ServerSide> servers = new ConcurrentHashMap<>();
    private final Map<String, HeldCalls> held = new ConcurrentHashMap<>(); // by service
    private final AtomicLong keptBytes = new AtomicLong();

    /** Creates the context of a {@link Relay}, whose parameters these are. */
    RelayContext(Function<String, @Nullable ServiceView> views, Timer timer, int maxPending) {
        this.views = requireNonNull(views, "views");
        this.timer = requireNonNull(timer, "timer");
        this.maxPending = maxPending;
        memories = new Memories(timer);
    }

    /** The outcomes of calls that ended while their clients may come back. */
    Memories memories() {
        return memories;
    }

    /** The most calls in flight over one connection, in each direction. */
    int maxPending() {
        return maxPending;
    }

    long nanos() {
        return timer.nanos();
    }

    /** The replicas of a service; null if there are none. */
    @Nullable
    ServiceView view(String service) {
        return views.apply(service);
    }

    /** The connection of a party as the way to a server; null if it is gone. */
    @Nullable
    ServerSide server(Party party) {
        return servers.get(party);
    }

    void joined(Party party, ServerSide server) {
        servers.put(party, server);
    }

    void left(Party party) {
        servers.remove(party);
    }

    /** Keeps a request that may move between the replicas of a service; null if it may not. */
    @Nullable
    KeptRequest keep(ServiceView view, RequestHead head, ByteBuf frame, int moves) {
        return head.options().isMovable() && view.migrates() ? KeptRequest.of(frame, keptBytes, nanos(), moves) : null;
    }

    /** Whether calls of a service are held: a new one may not overtake them. */
    boolean holds(String service) {
        HeldCalls calls = held.get(service);
        return calls != null && !calls.isEmpty();
    }

    /** Holds a call until there is room; false if there are too many. */
    boolean hold(String service, HeldCalls.Held call) {
        HeldCalls calls = held.computeIfAbsent(service, s -> new HeldCalls(() -> view(service)));
        if (!calls.add(call)) {
            return false;
        }
        calls.signal(); // there may have come room meanwhile
        return true;
    }

    /** Takes a call that is held; null if it is not. */
    HeldCalls.@Nullable Held takeHeld(HeldCalls.Client client, long id) {
        for (HeldCalls calls : held.values()) {
            HeldCalls.Held call = calls.take(client, id);
            if (call != null) {
                return call;
            }
        }
        return null;
    }

    /** Drops the calls of a client that are held. */
    void dropHeld(HeldCalls.Client client) {
        held.values().forEach(calls -> calls.drop(client));
    }

    /** A call of a service may find room that found none. */
    void onRoom(String service) {
        HeldCalls calls = held.get(service);
        if (calls != null) {
            calls.signal();
        }
    }

    /** Whether nothing is kept or held and there is no server. */
    boolean isEmpty() {
        return keptBytes.get() == 0 && held.values().stream().allMatch(HeldCalls::isEmpty) && servers.isEmpty();
    }
}
