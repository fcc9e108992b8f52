package dev.cleave.broker.relay;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.gossip.FarLoads;
import dev.cleave.broker.registry.Party;
import dev.cleave.broker.registry.ServiceView;
import dev.cleave.call.ConnectionMemory;
import dev.cleave.call.Memories;
import dev.cleave.call.RightsGuard;
import dev.cleave.concurrent.Timer;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Forwards calls from clients to live replicas, and the answers back, without decoding values.
 *
 * <h2>Addresses</h2>
 *
 * On a server's connection each relayed client has a number, and each call an id of the broker's. On a client's
 * connection each server has a number, so that the types which it announces are told from those of other servers; its
 * frames carry it. Both kinds of numbers of one connection come from one supply. The relay keeps the announcements of
 * a client, and repeats them to each server before the first request that may need them.
 *
 * A request that carries such a number goes to the node that has it, whatever its method: so the relay carries calls
 * of objects that belong to no service, from server to client and from client to server.
 *
 * <h2>Limits</h2>
 *
 * A call that finds each replica with as many calls as the balance policy lets it have is held at the broker ({@link
 * HeldCalls}). A connection has at most {@link #maxPending} calls in flight in each direction; more are refused,
 * unexecuted. A client is not read from while none of the servers that its call could go to takes what is written. A
 * server is not read from while a client that it answers has {@value Pair#MAX_BACKLOG} bytes unread; that client is
 * disconnected if it does not read for {@link #STALL_LIMIT}.
 *
 * <h2>Ends</h2>
 *
 * When a server's connection breaks, each call in flight there may have run, and its client is told so. When a client's
 * breaks, its calls are cancelled; the server hears that the peer is gone when it has answered the last of them. The
 * broker keeps its answers ({@link ConnectionMemory}) for a client that connects again and asks.
 */
public final class Relay {

    /** The most calls in flight over one connection, in each direction. */
    public static final int MAX_PENDING = 1 << 16;

    /** The time for which servers wait for a client that does not read. */
    public static final Duration STALL_LIMIT = Duration.ofSeconds(10);

    private final Function<String, @Nullable ServiceView> views;
    private final Timer timer;
    private final int maxPending;
    private final RightsGuard guard;
    private final Memories memories;
    private final SharedLanes sharedLanes = new SharedLanes();
    private final ProcessNames names = new ProcessNames();
    private final Map<Party, Member> members = new ConcurrentHashMap<>();
    private final Map<String, HeldCalls> held = new ConcurrentHashMap<>(); // by service
    private final AtomicLong keptBytes = new AtomicLong();
    private volatile boolean isLeaving;
    private volatile @Nullable FarLoads farLoads; // null if there are no other brokers
    private volatile BooleanSupplier knowsAll = () -> true;
    private volatile Predicate<String> expected = service -> false;
    private Map<Member, Long> stalls = Map.of(); // thread of onStallLimit only

    /** A connection that is part of the relay. */
    interface Member {

        /** Returns the server side of the connection. */
        ServerSide server();

        /** Whether the other end of the connection is a process of a node. */
        boolean is(String node, long incarnation);

        /** Names the stall in which servers wait for this client to read; -1 if they do not. */
        long stall();

        /** Ends the connection, whose other side has not read for a time, so that servers wait for it. */
        void endStalled(Duration limit);

        /** Returns how many calls of this client are in flight. */
        int pending();

        /** Whether no call is in flight and no other connection is known. */
        boolean isEmpty();

        /** Whether calls of its own are in flight. */
        boolean hasCalls();
    }

    /**
     * Creates a relay without connections.
     *
     * @param views the replicas of a service, null if there are none
     * @param timer the clock
     * @param maxPending the most calls in flight over one connection, in each direction
     * @param guard what peers may call
     */
    public Relay(Function<String, @Nullable ServiceView> views, Timer timer, int maxPending, RightsGuard guard) {
        this.guard = requireNonNull(guard, "guard");
        this.views = requireNonNull(views, "views");
        this.timer = requireNonNull(timer, "timer");
        this.maxPending = maxPending;
        memories = new Memories(timer);
    }

    /**
     * Makes this the relay of a broker of a cluster.
     *
     * @param known whether the broker knows the replicas of its whole cluster now. Asked on any thread
     * @param awaited whether calls of a service that no replica serves now wait for one. Asked on any thread; {@link
     *     #lookAtHeld} is to be called when the answer changes
     * @param loads the loads of replicas at other brokers
     */
    public void onJoin(BooleanSupplier known, Predicate<String> awaited, FarLoads loads) {
        knowsAll = requireNonNull(known, "known");
        expected = requireNonNull(awaited, "awaited");
        farLoads = requireNonNull(loads, "loads");
    }

    /** Whether a call of a service that has no room here would have some at a replica of another broker. */
    boolean hasFarRoom(String service) {
        FarLoads known = farLoads;
        return known != null && known.hasRoom(service);
    }

    /** Takes a place at a replica of another broker for a call that has no room here; null if none is known. */
    @Nullable
    String takeFarRoom(String service) {
        FarLoads known = farLoads;
        return known == null ? null : known.take(service);
    }

    /** Whether calls of a service that no replica serves now wait for one. */
    boolean isExpected(String service) {
        return expected.test(service);
    }

    /** Whether this broker knows the replicas of its whole cluster, if it has one. */
    boolean knowsAll() {
        return knowsAll.getAsBoolean();
    }

    /** Ends the connections that have held up servers for {@link #STALL_LIMIT}. */
    public void onStallLimit() {
        Map<Member, Long> now = new HashMap<>();
        for (Member member : members.values()) {
            long stall = member.stall();
            if (stall >= 0 && Objects.equals(stalls.get(member), stall)) {
                member.endStalled(STALL_LIMIT);
            } else if (stall >= 0) {
                now.put(member, stall);
            }
        }
        stalls = now;
    }

    /** Lets clients send calls elsewhere that a server has of which nothing is heard. From any thread. */
    public void suspect(Party party) {
        ServerSide server = server(party);
        if (server != null) {
            server.suspect();
        }
    }

    /** Sends held calls of a service on: there may be room. From any thread. */
    public void onRoom(String service) {
        HeldCalls calls = held.get(service);
        if (calls != null) {
            calls.signal();
        }
    }

    /** Sends held calls of all services on, or refuses them, if they need not wait any more. From any thread. */
    public void lookAtHeld() {
        held.values().forEach(calls -> {
            if (!calls.isEmpty()) {
                calls.signal();
            }
        });
    }

    /** Says whether no table has an entry. */
    public boolean isEmpty() {
        return keptBytes.get() == 0
                && sharedLanes.isEmpty()
                && held.values().stream().allMatch(HeldCalls::isEmpty)
                && members.isEmpty();
    }

    /** Says whether no relayed call is in flight. From any thread. */
    public boolean isQuiet() {
        return members.values().stream().allMatch(member -> member.pending() == 0)
                && held.values().stream().allMatch(HeldCalls::isEmpty);
    }

    /** Says whether no call is in flight, and no connection knows of another. */
    public boolean isIdle() {
        return members.values().stream().allMatch(Member::isEmpty);
    }

    /** Refuses new calls of services from now on, unexecuted. */
    public void leave() {
        isLeaving = true;
    }

    boolean isLeaving() {
        return isLeaving;
    }

    /** Whether calls are in flight. */
    public boolean hasCalls() {
        return members.values().stream().anyMatch(Member::hasCalls);
    }

    void joined(Party party, Member member) {
        members.put(party, member);
    }

    void left(Party party) {
        members.remove(party);
    }

    /** Returns the connection of a process of a node; null if it has none. */
    @Nullable
    Member member(String node, long incarnation) {
        for (Member member : members.values()) {
            if (member.is(node, incarnation)) {
                return member;
            }
        }
        return null;
    }

    /** Returns the server side of the connection of a party; null if it is gone. */
    @Nullable
    ServerSide server(Party party) {
        Member member = members.get(party);
        return member == null ? null : member.server();
    }

    /** Returns the outcomes of calls that ended while their clients may come back. */
    Memories memories() {
        return memories;
    }

    /** Returns whose the names of processes are. */
    ProcessNames names() {
        return names;
    }

    /** Returns the lanes whose results servers fetch. */
    SharedLanes sharedLanes() {
        return sharedLanes;
    }

    /** The rights of peers. */
    RightsGuard guard() {
        return guard;
    }

    /** The most calls in flight over one connection, in each direction. */
    int maxPending() {
        return maxPending;
    }

    long nanos() {
        return timer.nanos();
    }

    /** Returns the replicas of a service; null if there are none. */
    @Nullable
    ServiceView view(String service) {
        return views.apply(service);
    }

    /** Keeps a request that may move between the replicas of a service; null if it may not. */
    @Nullable
    KeptRequest keep(ServiceView view, RequestHead head, ByteBuf frame, int moves) {
        return head.options().isMovable() && view.migrates() ? KeptRequest.of(frame, keptBytes, nanos(), moves) : null;
    }

    /** Whether calls of a service are held: a new one may not overtake them. On any thread. */
    public boolean holds(String service) {
        HeldCalls calls = held.get(service);
        return calls != null && !calls.isEmpty();
    }

    /** Holds a call until there is room; false if there are too many. */
    boolean hold(String service, HeldCalls.Held call) {
        HeldCalls calls =
                held.computeIfAbsent(service, s -> new HeldCalls(() -> view(service), () -> hasFarRoom(service)));
        if (!calls.add(call)) {
            return false;
        }
        calls.signal(); // there may be room now
        return true;
    }

    /** Takes out a held call; null if it is not held. */
    HeldCalls.@Nullable Held takeHeld(HeldCalls.Client client, long id) {
        for (HeldCalls calls : held.values()) {
            HeldCalls.Held call = calls.take(client, id);
            if (call != null) {
                return call;
            }
        }
        return null;
    }

    /** Notes that a client is blocked on a call, if it is held. */
    void promoteHeld(HeldCalls.Client client, long id) {
        held.values().forEach(calls -> calls.promote(client, id));
    }

    /** Drops the calls of a client that are held. */
    void dropHeld(HeldCalls.Client client) {
        held.values().forEach(calls -> calls.drop(client));
    }
}
