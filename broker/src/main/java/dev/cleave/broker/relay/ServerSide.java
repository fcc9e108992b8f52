package dev.cleave.broker.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.replica.Placement;
import dev.cleave.transport.Connection;
import dev.cleave.wire.Begun;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Moved;
import dev.cleave.wire.PeerGone;
import dev.cleave.wire.Pull;
import dev.cleave.wire.Suspected;
import dev.cleave.wire.Types;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A connection as the way to a server: the clients that call it, and their calls that it has not answered.
 *
 * <p>Calls come from the event threads of the clients, answers and the end on the connection's own.
 */
final class ServerSide {

    private final Connection connection;
    private final ReadingGate gate;
    private final PeerNumbers numbers;
    private final Terms terms;
    private final Set<String> pulls = ConcurrentHashMap.newKeySet(0); // services that it is asked about
    private final Map<Long, RelayedCall> calls = new ConcurrentHashMap<>();
    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicLong backlog =
            new AtomicLong(); // bytes of large arguments since it did not take what was written
    private final AtomicLong nextId = new AtomicLong(1);
    private final Object lock = new Object();
    private volatile boolean closed;

    @GuardedBy("lock")
    private final Map<Integer, Pair> pairs = new HashMap<>();

    @GuardedBy("lock")
    private final Set<Waiting> waiting = new LinkedHashSet<>();

    /**
     * What holds for calls of the server.
     *
     * @param maxPending the most in flight
     * @param features what it can
     */
    record Terms(int maxPending, long features) {}

    ServerSide(Connection connection, ReadingGate gate, PeerNumbers numbers, Terms terms) {
        this.connection = connection;
        this.gate = gate;
        this.numbers = numbers;
        this.terms = terms;
    }

    Connection connection() {
        return connection;
    }

    ReadingGate gate() {
        return gate;
    }

    /** Makes the client known; null if the server is gone or one of the two has no number left. */
    @Nullable
    Pair meet(ClientSide client) {
        synchronized (lock) {
            int clientNumber = closed ? PeerNumbers.NONE : numbers.take();
            if (clientNumber == PeerNumbers.NONE) {
                return null;
            }
            int serverNumber = client.numbers().take();
            if (serverNumber == PeerNumbers.NONE) {
                numbers.give(clientNumber);
                return null;
            }
            Pair pair = new Pair(client, this, clientNumber, serverNumber);
            pairs.put(clientNumber, pair);
            return pair;
        }
    }

    /** This server and the client with a number on its connection, or null if that is gone. */
    @Nullable
    Pair named(int clientNumber) {
        synchronized (lock) {
            return pairs.get(clientNumber);
        }
    }

    /** Enters a call; null if the server is gone or has too many. */
    @Nullable
    RelayedCall begin(Pair pair, long clientId, @Nullable Placement placement, @Nullable KeptRequest kept) {
        if (closed) {
            return null;
        }
        if (pending.incrementAndGet() > terms.maxPending()) {
            pending.decrementAndGet();
            return null;
        }
        RelayedCall call = new RelayedCall(pair, clientId, nextId.getAndIncrement(), placement, kept);
        pair.begin();
        pair.client().entered(call);
        calls.put(call.serverId(), call);
        if (closed && calls.remove(call.serverId(), call)) {
            call.pair().client().ended(call);
            call.left();
            pair.end();
            return null;
        }
        return call;
    }

    /** A client that is not read from, and why: until the first of those that have the same reason lets it go on. */
    private record Waiting(ReadingGate gate, Object reason) {}

    /** Lets a client wait until what has been written has drained. */
    void hold(ClientSide client) {
        keep(client, this);
        if (connection.isWritable()) {
            onWritable();
        }
    }

    /** Lets a client wait until what has been written to any of some servers has drained. */
    static void holdForAny(List<ServerSide> servers, ClientSide client) {
        servers.forEach(server -> server.keep(client, client.anyRoom()));
        if (servers.stream().anyMatch(server -> !server.keeps(client, client.anyRoom()))) {
            client.gate().release(client.anyRoom()); // one has drained before all knew of it
        }
    }

    private boolean keeps(ClientSide client, Object reason) {
        synchronized (lock) {
            return waiting.contains(new Waiting(client.gate(), reason)) && !connection.isWritable();
        }
    }

    private void keep(ClientSide client, Object reason) {
        synchronized (lock) {
            if (!closed) {
                waiting.add(new Waiting(client.gate(), reason));
                client.gate().hold(reason);
            }
        }
    }

    void cancel(RelayedCall call) {
        connection.write(new Cancel(call.pair().clientNumber(), call.serverId()).write(connection.allocator()));
    }

    /** The client has gone: its calls are given up, and its number is free when they have ended. */
    void leave(Pair pair) {
        synchronized (lock) {
            waiting.removeIf(held -> held.gate() == pair.client().gate());
        }
        pair.client().gate().release(this);
        pair.client().gate().release(pair.client().anyRoom());
        if (pair.leave()) {
            retire(pair);
        }
        connection.flush();
    }

    /** Asks the server, once, to say which calls of a service have begun, if it can. */
    void pull(String service) {
        if ((terms.features() & Hello.PULL) != 0 && pulls.size() < Pull.MOST && pulls.add(service)) {
            connection.write(new Pull(service).write(connection.allocator()));
        }
    }

    /** The server works on calls. */
    void onBegun(Begun begun) {
        for (long id : begun.calls()) {
            RelayedCall call = calls.get(id);
            if (call != null && call.placement() != null && call.pair().clientNumber() == begun.peer()) {
                call.placement().begun();
            }
        }
    }

    /** REPLY or FAILURE; the client that gets it, or null if nobody waits for it. */
    @Nullable
    ClientSide onAnswer(ByteBuf frame) {
        RelayedCall call = calls.get(Header.id(frame));
        if (call == null || call.pair().clientNumber() != Header.peer(frame)) {
            return null;
        }
        boolean isLast = Header.kind(frame) != FrameKind.REPLY || !Blocks.follow(frame);
        pass(call, frame, isLast);
        if (!isLast && call.pair().client().isClosed()) {
            cancel(call); // once more: nobody grants what is to follow, so the server would wait, and who asks for the
            // call
            connection.flush();
        }
        return call.pair().client();
    }

    /** A part of a large result; the connection of the client that gets it, or null if nobody waits for it. */
    @Nullable
    Connection onChunk(ByteBuf frame, boolean isLast) {
        RelayedCall call = calls.get(Header.id(frame));
        if (call == null || call.pair().clientNumber() != Header.peer(frame)) {
            return null;
        }
        pass(call, frame, isLast);
        return call.pair().client().connection();
    }

    /** Credit for a large argument; the connection of the client that gets it, or null if the call is over. */
    @Nullable
    Connection onCredit(ByteBuf frame) {
        RelayedCall call = calls.get(Header.id(frame));
        if (call == null || call.pair().clientNumber() != Header.peer(frame)) {
            return null;
        }
        Header.readdress(frame, 0, call.clientId());
        call.pair().client().deliver(frame.retain(), this);
        return call.pair().client().connection();
    }

    /** Takes a part of a large argument, or credit; of a client that sends much that is not taken no more is read. */
    void deliver(ByteBuf frame, ClientSide from) {
        int bytes = frame.readableBytes();
        connection.write(frame);
        if (!connection.isWritable() && backlog.addAndGet(bytes) > ClientSide.MAX_BACKLOG) {
            hold(from);
        }
    }

    private void pass(RelayedCall call, ByteBuf frame, boolean isLast) {
        Pair pair = call.pair();
        boolean ends = isLast && calls.remove(call.serverId(), call);
        if (ends) {
            pending.decrementAndGet();
            call.ended();
            pair.client().memory().ended(call.clientId(), frame, pair);
        }
        Header.readdress(frame, pair.serverNumber(), call.clientId());
        pair.client().deliver(frame.retain(), this);
        if (ends && pair.end()) {
            retire(pair);
            connection.flush();
        }
    }

    /** MOVED: the call has not begun here and never will; it goes on to another replica. */
    void onMoved(ByteBuf frame) {
        Moved moved = Moved.read(frame.duplicate());
        RelayedCall call = calls.get(moved.id());
        if (call == null || call.pair().clientNumber() != moved.peer() || !calls.remove(moved.id(), call)) {
            return;
        }
        pending.decrementAndGet();
        call.left();
        call.pair().client().moved(call, moved.replica());
        if (call.pair().end()) {
            retire(call.pair());
            connection.flush();
        }
    }

    /** The server's TYPES for one client; that client, or null if it is gone. */
    @Nullable
    ClientSide onTypes(ByteBuf frame) {
        Types types = Types.read(frame.duplicate());
        Pair pair;
        synchronized (lock) {
            pair = pairs.get(types.peer());
        }
        if (pair == null) {
            return null;
        }
        pair.announced(frame);
        Header.readdress(frame, pair.serverNumber(), 0);
        pair.client().deliver(frame.retain(), this);
        return pair.client();
    }

    /** Lets the clients that wait go on. */
    void onWritable() {
        List<Waiting> held;
        backlog.set(0);
        synchronized (lock) {
            held = List.copyOf(waiting);
            waiting.clear();
        }
        held.forEach(client -> client.gate().release(client.reason()));
    }

    /** Tells the clients which of their calls are here. From any thread. */
    void suspect() {
        Map<ClientSide, List<Long>> byClient = new HashMap<>();
        for (RelayedCall call : calls.values()) {
            byClient.computeIfAbsent(call.pair().client(), client -> new ArrayList<>())
                    .add(call.clientId());
        }
        byClient.forEach((client, ids) -> {
            if (client.same().has(Hello.SUSPECTS)) {
                Connection to = client.connection();
                for (int i = 0; i < ids.size(); i += Suspected.MOST) {
                    to.write(new Suspected(ids.subList(i, Math.min(ids.size(), i + Suspected.MOST)))
                            .write(to.allocator()));
                }
                to.flush();
            }
        });
    }

    /** Whether the node at the other end has a feature. */
    private boolean has(long feature) {
        return (terms.features() & feature) != 0;
    }

    /** The connection is gone, and the fate of each call in flight unknown. */
    void close() {
        List<Pair> gone;
        synchronized (lock) {
            closed = true;
            gone = new ArrayList<>(pairs.values());
            pairs.clear();
        }
        onWritable();
        for (RelayedCall call : List.copyOf(calls.values())) {
            if (calls.remove(call.serverId(), call)) {
                call.ended();
                call.pair().client().lost(call, connection.peer());
                boolean unused = call.pair().end();
            }
        }
        pending.set(0);
        gone.forEach(pair -> pair.client().serverGone(pair));
    }

    boolean isEmpty() {
        synchronized (lock) {
            return pairs.isEmpty() && waiting.isEmpty() && calls.isEmpty();
        }
    }

    private void retire(Pair pair) {
        boolean known;
        synchronized (lock) {
            known = pairs.remove(pair.clientNumber(), pair);
        }
        if (known) {
            connection.write(new PeerGone(pair.clientNumber()).write(connection.allocator()));
            numbers.give(pair.clientNumber());
        }
    }
}
