package dev.cleave.broker.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.config.MemoryBounds;
import dev.cleave.metrics.Meter;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Header;
import dev.cleave.wire.PeerGone;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A connection as the way from a client: what it has announced, the servers that it calls, its calls in flight.
 *
 * <p>Requests come on the connection's event thread, answers on those of the servers.
 */
final class ClientSide {

    /** Bytes of answers that may pile up for a client that does not read before servers have to wait for it. */
    static final long MAX_BACKLOG = 8 << 20;

    /** The bytes of answers that have piled up for all clients of the process. */
    private static final Meter BACKLOG = Meter.of("broker.backlog.bytes", MemoryBounds::unread);

    private final Connection connection;
    private final ReadingGate gate;
    private final Object anyRoom = new Object();
    private final PeerNumbers numbers;
    private final ServerSide same;
    private final ClientMemory memory;
    private final BiConsumer<RelayedCall, String> whenMoved;
    private final Announced announced = new Announced();
    private final Map<ServerSide, Pair> pairs = new ConcurrentHashMap<>();
    private final Map<Long, RelayedCall> calls = new ConcurrentHashMap<>();
    private final Object lock = new Object();
    private long taken; // event thread only

    @GuardedBy("lock")
    private final Set<ReadingGate> held = new LinkedHashSet<>();

    @GuardedBy("lock")
    private long backlog;

    /** How often what had piled up has drained. */
    @GuardedBy("lock")
    private long drained;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * Creates a side without calls.
     *
     * @param same the same connection as the way to a server
     * @param memory of its calls
     * @param whenMoved sends a call on to the replica of a name; called on the connection's event thread
     */
    ClientSide(
            Connection connection,
            ReadingGate gate,
            PeerNumbers numbers,
            ServerSide same,
            ClientMemory memory,
            BiConsumer<RelayedCall, String> whenMoved) {
        this.connection = connection;
        this.gate = gate;
        this.numbers = numbers;
        this.same = same;
        this.memory = memory;
        this.whenMoved = whenMoved;
    }

    ReadingGate gate() {
        return gate;
    }

    /** Why it waits when no replica takes what is written: until any of them does. */
    Object anyRoom() {
        return anyRoom;
    }

    PeerNumbers numbers() {
        return numbers;
    }

    Connection connection() {
        return connection;
    }

    /** Event thread only. */
    Announced announced() {
        return announced;
    }

    /** What is remembered of its calls. */
    ClientMemory memory() {
        return memory;
    }

    /** The same connection as the way to a server: clients are called back. */
    ServerSide same() {
        return same;
    }

    /** This client and the server with a number on its connection, or null if that is gone. */
    @Nullable
    Pair named(int serverNumber) {
        return pairs.values().stream()
                .filter(pair -> pair.serverNumber() == serverNumber)
                .findFirst()
                .orElse(null);
    }

    int pending() {
        return calls.size();
    }

    /** Where a call has been sent to; null if it is not in flight. */
    @Nullable
    ServerSide serverOf(long id) {
        RelayedCall call = calls.get(id);
        return call == null ? null : call.pair().server();
    }

    /** The pair of this client and a server; null if there cannot be one. Event thread only. */
    @Nullable
    Pair pair(ServerSide server) {
        Pair known = pairs.get(server);
        if (known != null) {
            return known;
        }
        Pair made = server.meet(this);
        if (made != null) {
            pairs.put(server, made);
        }
        return made;
    }

    /** The pair of this client and a server, null if they have not met or the server is gone. */
    @Nullable
    Pair known(ServerSide server) {
        return pairs.get(server);
    }

    /** The server has taken a call while it was writable. Event thread only. */
    void took(ServerSide server) {
        Pair pair = pairs.get(server);
        if (pair != null) {
            pair.lastTook(++taken);
        }
    }

    /** Orders servers by when they last took a call of this client. Event thread only. */
    long lastTook(ServerSide server) {
        Pair pair = pairs.get(server);
        return pair == null ? 0 : pair.lastTook();
    }

    void entered(RelayedCall call) {
        calls.put(call.clientId(), call);
    }

    /** A call has ended; says whether it had not before. */
    boolean ended(RelayedCall call) {
        return calls.remove(call.clientId(), call);
    }

    /** A call is to go to the replica of a name. From any thread; until it does so it is a call of this client. */
    void moved(RelayedCall call, String replica) {
        try {
            connection.execute(() -> whenMoved.accept(call, replica));
        } catch (RejectedExecutionException e) { // the broker is closing
            memory.notExecuted(call.clientId());
            call.ended();
        }
    }

    /** Takes a frame from a server. */
    void deliver(ByteBuf frame, ServerSide from) {
        int bytes = frame.readableBytes();
        connection.write(frame);
        if (connection.isWritable()) {
            return;
        }
        synchronized (lock) {
            if (!closed) {
                backlog += bytes;
                BACKLOG.add(bytes);
            }
            long most = MemoryBounds.unreadOf(MAX_BACKLOG, BACKLOG.used() - backlog);
            if (backlog > most && !closed && held.add(from.gate())) {
                from.gate().hold(this);
            }
        }
        if (connection.isWritable()) {
            onWritable();
        }
    }

    /** Names the stall in which servers wait for this client to read; -1 if they do not. */
    long stall() {
        synchronized (lock) {
            return held.isEmpty() ? -1 : drained;
        }
    }

    /** What had piled up has drained: servers may go on. */
    void onWritable() {
        List<ReadingGate> gates;
        synchronized (lock) {
            BACKLOG.add(-backlog);
            backlog = 0;
            drained++;
            gates = List.copyOf(held);
            held.clear();
        }
        gates.forEach(server -> server.release(this));
    }

    /** The client gives a call up. Event thread only; the server's connection is to be flushed. */
    @Nullable
    Connection onCancel(Cancel cancel) {
        RelayedCall call = calls.get(cancel.id());
        if (call == null) {
            return null;
        }
        KeptRequest kept = call.kept();
        if (kept != null) {
            kept.giveUp(); // it may be between two replicas
        }
        call.pair().server().cancel(call);
        return call.pair().server().connection();
    }

    /**
     * The client sends a part of a large argument, or credit for a result. Event thread only.
     *
     * @return the connection of the server, to be flushed; null if the call is over
     */
    @Nullable
    Connection onPart(ByteBuf frame) {
        RelayedCall call = calls.get(Header.id(frame));
        if (call == null) {
            return null;
        }
        ServerSide to = call.pair().server();
        Header.readdress(frame, call.pair().clientNumber(), call.serverId());
        to.deliver(frame.retain(), this);
        return to.connection();
    }

    /** The client waits for calls. Event thread only; the connections of the servers are to be flushed. */
    List<Connection> onAwaited(Awaited awaited) {
        Map<Pair, List<Long>> byPair = new LinkedHashMap<>();
        for (long id : awaited.calls()) {
            RelayedCall call = calls.get(id);
            if (call != null) {
                byPair.computeIfAbsent(call.pair(), pair -> new ArrayList<>()).add(call.serverId());
            }
        }
        List<Connection> told = new ArrayList<>();
        byPair.forEach((pair, ids) -> {
            Connection server = pair.server().connection();
            server.write(new Awaited(pair.clientNumber(), ids).write(server.allocator()));
            told.add(server);
        });
        return told;
    }

    /** The server of a call is gone. */
    void lost(RelayedCall call, Endpoint server) {
        String why = "the connection between the broker and the server at " + server + " broke";
        ByteBuf frame = new Failure(0, call.clientId(), ErrorCode.CONNECTION_LOST, Execution.MAYBE, why)
                .write(connection.allocator());
        memory.ended(call.clientId(), frame, null);
        connection.write(frame);
        connection.flush();
    }

    /** A server is gone; nothing more will come with its number. */
    void serverGone(Pair pair) {
        pairs.remove(pair.server(), pair);
        synchronized (lock) {
            held.remove(pair.server().gate());
        }
        connection.write(new PeerGone(pair.serverNumber()).write(connection.allocator()));
        connection.flush();
        numbers.give(pair.serverNumber());
    }

    /** The client is gone: its calls are given up. */
    void close() {
        synchronized (lock) {
            closed = true;
        }
        onWritable();
        // The last first: of calls that have an order those that run all the same are the first ones.
        calls.values().stream()
                .sorted(Comparator.comparingLong(RelayedCall::clientId).reversed())
                .forEach(call -> call.pair().server().cancel(call));
        List.copyOf(pairs.values()).forEach(pair -> {
            pairs.remove(pair.server(), pair);
            pair.server().leave(pair);
        });
    }

    boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    boolean isEmpty() {
        synchronized (lock) {
            return pairs.isEmpty() && calls.isEmpty() && held.isEmpty();
        }
    }
}
