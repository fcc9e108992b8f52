package dev.cleave.broker.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.call.LinkCore;
import dev.cleave.replica.Placement;
import dev.cleave.transport.Connection;
import dev.cleave.wire.Begun;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.CallerGone;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Moved;
import dev.cleave.wire.PeerGone;
import dev.cleave.wire.Pull;
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
 * The server side of a connection: the clients that call it, and the calls that it has not answered.
 *
 * <p>Calls come on the event threads of the clients, answers and the end on the connection's own.
 */
final class ServerSide implements Pair.Server {

    private final LinkCore<?> core;
    private final Connection connection;
    private final BackPressure pressure;
    private final PeerNumbers numbers;
    private final int maxPending;
    private final Set<String> pulls = ConcurrentHashMap.newKeySet(0); // services that it is asked about
    private final Map<Long, Pair.Call> calls = new ConcurrentHashMap<>();
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
     * Creates a side without calls.
     *
     * @param numbers of peers on the connection
     * @param maxPending the most calls in flight
     */
    ServerSide(LinkCore<?> core, BackPressure pressure, PeerNumbers numbers, int maxPending) {
        this.core = core;
        connection = core.connection();
        this.pressure = pressure;
        this.numbers = numbers;
        this.maxPending = maxPending;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    @Override
    public BackPressure pressure() {
        return pressure;
    }

    @Override
    public @Nullable Pair meet(Pair.Client client) {
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
            client.met(pair); // within the lock: the end of the connection, if it comes now, is told after this
            return pair;
        }
    }

    /** Returns the pair with the client of a number on its connection, or null if that is gone. */
    @Nullable
    Pair named(int clientNumber) {
        synchronized (lock) {
            return pairs.get(clientNumber);
        }
    }

    @Override
    public Pair.@Nullable Call begin(
            Pair pair, long clientId, @Nullable Placement placement, @Nullable KeptRequest kept) {
        if (closed) {
            return null;
        }
        if (pending.incrementAndGet() > maxPending) {
            pending.decrementAndGet();
            return null;
        }
        Pair.Call call = new Pair.Call(pair, clientId, nextId.getAndIncrement(), placement, kept);
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

    /** A client that is not read from, and the reason, which the first server that has it releases. */
    private record Waiting(BackPressure client, Object reason) {}

    @Override
    public void hold(Pair.Client client) {
        keep(client, this);
        if (connection.isWritable()) {
            onWritable();
        }
    }

    /** Lets a client wait until what has been written to any of some servers has drained. */
    static void holdForAny(List<ServerSide> servers, Pair.Client client) {
        servers.forEach(server -> server.keep(client, client.anyRoom()));
        if (servers.stream().anyMatch(server -> !server.keeps(client, client.anyRoom()))) {
            client.pressure().release(client.anyRoom()); // one server drained before all knew of the client
        }
    }

    private boolean keeps(Pair.Client client, Object reason) {
        synchronized (lock) {
            return waiting.contains(new Waiting(client.pressure(), reason)) && !connection.isWritable();
        }
    }

    private void keep(Pair.Client client, Object reason) {
        synchronized (lock) {
            if (!closed) {
                waiting.add(new Waiting(client.pressure(), reason));
                client.pressure().hold(reason);
            }
        }
    }

    @Override
    public void cancel(Pair.Call call) {
        connection.write(new Cancel(call.pair().clientNumber(), call.serverId()).write(connection.allocator()));
    }

    @Override
    public void callerGone(Pair.Call call) {
        if (core.has(FrameKind.CALLER_GONE.feature())) {
            connection.write(new CallerGone(call.pair().clientNumber(), call.serverId()).write(connection.allocator()));
        } else {
            cancel(call); // an older server interrupts the call if it runs
        }
    }

    @Override
    public void leave(Pair pair) {
        synchronized (lock) {
            waiting.removeIf(held -> held.client() == pair.client().pressure());
        }
        pair.client().pressure().release(this);
        pair.client().pressure().release(pair.client().anyRoom());
        if (pair.leave()) {
            retire(pair);
        }
        connection.flush();
    }

    @Override
    public void pull(String service) {
        if (core.has(FrameKind.PULL.feature()) && pulls.size() < Pull.MOST && pulls.add(service)) {
            connection.write(new Pull(service).write(connection.allocator()));
        }
    }

    /** Handles BEGUN: the server works on calls. */
    void onBegun(Begun begun) {
        for (long id : begun.calls()) {
            Pair.Call call = calls.get(id);
            if (call != null && call.placement() != null && call.pair().clientNumber() == begun.peer()) {
                call.placement().begun();
            }
        }
    }

    /** Forwards REPLY or FAILURE; returns the client's connection, or null if no call waits for it. */
    @Nullable
    Connection onAnswer(ByteBuf frame) {
        Pair.Call call = call(frame);
        if (call == null) {
            return null;
        }
        Pair.Client client = call.pair().client();
        boolean isLast = Header.kind(frame) != FrameKind.REPLY || !Blocks.follow(frame);
        pass(call, frame, isLast);
        if (!isLast && client.isClosed()) {
            // The call ran when its server heard that the client is gone. A closed client grants no credit for the
            // chunks
            // of this reply; without this cancel the server, and a client that recalls the call, would wait for ever.
            cancel(call);
            connection.flush();
        }
        return client.connection();
    }

    /** Forwards a part of a large result; returns the client's connection, or null if no call waits for it. */
    @Nullable
    Connection onChunk(ByteBuf frame, boolean isLast) {
        Pair.Call call = call(frame);
        if (call == null) {
            return null;
        }
        pass(call, frame, isLast);
        return call.pair().client().connection();
    }

    /** Forwards credit for a large argument; returns the client's connection, or null if the call is over. */
    @Nullable
    Connection onCredit(ByteBuf frame) {
        Pair.Call call = call(frame);
        if (call == null) {
            return null;
        }
        Header.readdress(frame, 0, call.clientId());
        call.pair().client().deliver(frame.retain(), this);
        return call.pair().client().connection();
    }

    /** Returns the call that a frame of the server names; null if it is over or another client's. */
    private Pair.@Nullable Call call(ByteBuf frame) {
        Pair.Call call = calls.get(Header.id(frame));
        return call == null || call.pair().clientNumber() != Header.peer(frame) ? null : call;
    }

    @Override
    public void deliver(ByteBuf frame, Pair.Client from) {
        int bytes = frame.readableBytes();
        connection.write(frame);
        if (!connection.isWritable() && backlog.addAndGet(bytes) > Pair.MAX_BACKLOG) {
            hold(from);
        }
    }

    private void pass(Pair.Call call, ByteBuf frame, boolean isLast) {
        Pair pair = call.pair();
        boolean ends = isLast && calls.remove(call.serverId(), call);
        if (ends) {
            pending.decrementAndGet();
            call.ended();
            pair.client().remember(call, frame);
        }
        Header.readdress(frame, pair.serverNumber(), call.clientId());
        pair.client().deliver(frame.retain(), this);
        if (ends && pair.end()) {
            retire(pair);
            connection.flush();
        }
    }

    /** Handles MOVED: the call will not begin here, and goes on to another replica. */
    void onMoved(Moved moved) {
        Pair.Call call = calls.get(moved.id());
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

    /** Forwards TYPES of the server to one client; returns its connection, or null if it is gone. */
    @Nullable
    Connection onTypes(ByteBuf frame) {
        Pair pair = named(Types.read(frame.duplicate()).peer());
        if (pair == null) {
            return null;
        }
        pair.announced(frame);
        Header.readdress(frame, pair.serverNumber(), 0);
        pair.client().deliver(frame.retain(), this);
        return pair.client().connection();
    }

    /** Lets the waiting clients go on. */
    void onWritable() {
        List<Waiting> held;
        backlog.set(0);
        synchronized (lock) {
            held = List.copyOf(waiting);
            waiting.clear();
        }
        held.forEach(each -> each.client().release(each.reason()));
    }

    /** Tells the clients that the server with these of their calls is suspect. From any thread. */
    void suspect() {
        Map<Pair.Client, List<Long>> byClient = new HashMap<>();
        for (Pair.Call call : calls.values()) {
            byClient.computeIfAbsent(call.pair().client(), client -> new ArrayList<>())
                    .add(call.clientId());
        }
        byClient.forEach(Pair.Client::suspected);
    }

    /** Handles the end of the connection: the outcomes of the calls in flight are unknown. */
    void close() {
        List<Pair> gone;
        synchronized (lock) {
            closed = true;
            gone = new ArrayList<>(pairs.values());
            pairs.clear();
        }
        onWritable();
        for (Pair.Call call : List.copyOf(calls.values())) {
            if (calls.remove(call.serverId(), call)) {
                call.ended();
                call.pair().client().lost(call, connection.peer());
                boolean unused = call.pair().end();
            }
        }
        pending.set(0);
        gone.forEach(pair -> pair.client().gone(pair));
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
