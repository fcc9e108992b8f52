package dev.cleave.broker.relay;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.call.ConnectionMemory;
import dev.cleave.call.LinkCore;
import dev.cleave.call.Remembered;
import dev.cleave.config.MemoryBounds;
import dev.cleave.metrics.Meter;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.Awaited;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import dev.cleave.wire.Moved;
import dev.cleave.wire.PeerGone;
import dev.cleave.wire.Suspected;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
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
 * The client side of a connection: its announcements, the servers that it calls, its calls in flight.
 *
 * <p>Requests come on the connection's event thread, answers on those of the servers.
 */
final class ClientSide implements Pair.Client {

    /** The bytes of answers that wait to be written to all clients of the process. */
    private static final Meter BACKLOG = Meter.of("broker.backlog.bytes", MemoryBounds::unread);

    private final LinkCore<?> core;
    private final Connection connection;
    private final BackPressure pressure;
    private final Object anyRoom = new Object();
    private final PeerNumbers numbers;
    private final Pair.Server same;
    private final ConnectionMemory memory;
    private volatile BiConsumer<Pair.Call, String> whenMoved = (call, replica) -> {};
    private final Announced announced;
    private final Map<Pair.Server, Pair> pairs = new ConcurrentHashMap<>();
    private final Map<Long, Pair.Call> calls = new ConcurrentHashMap<>();
    private final Object lock = new Object();
    private long taken; // event thread only

    @GuardedBy("lock")
    private final Set<BackPressure> held = new LinkedHashSet<>();

    @GuardedBy("lock")
    private long backlog;

    /** The number of times that the waiting answers have drained. */
    @GuardedBy("lock")
    private long drained;

    @GuardedBy("lock")
    private boolean closed;

    /**
     * Creates a side without calls.
     *
     * @param numbers of peers on the connection
     * @param same the server side of the same connection
     * @param memory the reply cache of its calls
     */
    ClientSide(
            LinkCore<?> core, BackPressure pressure, PeerNumbers numbers, Pair.Server same, ConnectionMemory memory) {
        this.core = core;
        connection = core.connection();
        announced = new Announced(core.peer().identity());
        this.pressure = pressure;
        this.numbers = numbers;
        this.same = same;
        this.memory = memory;
    }

    /** Has moving calls sent on to a replica, on the connection's event thread. */
    void onMoved(BiConsumer<Pair.Call, String> listener) {
        whenMoved = listener;
    }

    @Override
    public BackPressure pressure() {
        return pressure;
    }

    @Override
    public Object anyRoom() {
        return anyRoom;
    }

    @Override
    public PeerNumbers numbers() {
        return numbers;
    }

    @Override
    public Connection connection() {
        return connection;
    }

    /** Event thread only. */
    Announced announced() {
        return announced;
    }

    @Override
    public Pair.Server same() {
        return same;
    }

    /** Tells the client why a request was not executed. */
    void refuse(long id, ErrorCode code, String why) {
        memory.notExecuted(id);
        connection.write(new Failure(0, id, code, Execution.NOT, why).write(connection.allocator()));
        pressure.answered();
    }

    /** Whether the client sends a relayed call again that goes to another broker. */
    boolean goesElsewhere() {
        return core.has(FrameKind.LOAD_ASK.feature());
    }

    /** Lets the client send a request again that has not begun: to a replica that is connected to another broker. */
    void sendElsewhere(long id, String replica) {
        memory.notExecuted(id);
        connection.write(new Moved(0, id, replica).write(connection.allocator()));
        pressure.answered();
    }

    /** Returns the reply cache of its calls. */
    ConnectionMemory memory() {
        return memory;
    }

    /** Returns the pair with the server of a number on its connection, or null if that is gone. */
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

    /** Returns where a call has been sent to; null if it is not in flight. */
    Pair.@Nullable Server serverOf(long id) {
        Pair.Call call = calls.get(id);
        return call == null ? null : call.pair().server();
    }

    /** Returns or creates the pair of this client and a server; null if there cannot be one. Event thread only. */
    @Nullable
    Pair pair(Pair.Server server) {
        Pair known = pairs.get(server);
        return known != null ? known : server.meet(this);
    }

    @Override
    public void met(Pair pair) {
        pairs.put(pair.server(), pair);
    }

    /** Returns the pair of this client and a server, null if they have not met or the server is gone. */
    @Nullable
    Pair known(Pair.Server server) {
        return pairs.get(server);
    }

    /** Records that the server has taken a call while it was writable. Event thread only. */
    void took(Pair.Server server) {
        Pair pair = pairs.get(server);
        if (pair != null) {
            pair.lastTook(++taken);
        }
    }

    /** Orders servers by when they last took a call of this client. Event thread only. */
    long lastTook(Pair.Server server) {
        Pair pair = pairs.get(server);
        return pair == null ? 0 : pair.lastTook();
    }

    @Override
    public void entered(Pair.Call call) {
        calls.put(call.clientId(), call);
    }

    @Override
    public boolean ended(Pair.Call call) {
        return calls.remove(call.clientId(), call);
    }

    @Override
    public void remember(Pair.Call call, ByteBuf frame) {
        remember(call.clientId(), frame, call.pair());
    }

    private void remember(long id, ByteBuf frame, @Nullable Pair pair) {
        Remembered known = memory.known();
        if (known == null) {
            return;
        }
        FrameKind kind = Header.kind(frame);
        boolean isFailure = kind == FrameKind.FAILURE;
        if (isFailure && Failure.read(frame.duplicate()).execution() == Execution.NOT) {
            known.notExecuted(id);
            return;
        }
        int types = pair == null ? 0 : pair.typeFrames();
        boolean isWhole = isFailure || kind == FrameKind.REPLY && !Blocks.follow(frame);
        if (!isWhole || types == Pair.TOO_MANY) {
            known.ended(id, null, 0);
        } else if (types == 0 || pair == null) {
            known.ended(id, frame, 0);
        } else { // a reply with objects: the TYPES of its server are kept before it
            known.ended(id, Unpooled.wrappedBuffer(pair.types(), frame.duplicate()), types);
        }
    }

    /** Sends a moved call on. From any thread; until then the call belongs to this client. */
    @Override
    public void moved(Pair.Call call, String replica) {
        try {
            connection.execute(() -> whenMoved.accept(call, replica));
        } catch (RejectedExecutionException e) { // the broker is closing
            memory.notExecuted(call.clientId());
            call.ended();
        }
    }

    @Override
    public void deliver(ByteBuf frame, Pair.Server from) {
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
            long most = MemoryBounds.unreadOf(Pair.MAX_BACKLOG, BACKLOG.used() - backlog);
            if (backlog > most && !closed) {
                held.add(from.pressure());
                from.pressure()
                        .hold(this); // also if it is in the set: the thread of onWritable may just have released it
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

    /** Lets servers go on: the waiting answers have drained. */
    void onWritable() {
        List<BackPressure> gates;
        synchronized (lock) {
            BACKLOG.add(-backlog);
            backlog = 0;
            drained++;
            gates = List.copyOf(held);
            held.clear();
        }
        gates.forEach(server -> server.release(this));
    }

    @Override
    public void suspected(List<Long> ids) {
        if (core.has(FrameKind.SUSPECTED.feature())) {
            for (int i = 0; i < ids.size(); i += Suspected.MOST) {
                connection.write(new Suspected(ids.subList(i, Math.min(ids.size(), i + Suspected.MOST)))
                        .write(connection.allocator()));
            }
            connection.flush();
        }
    }

    /** Gives up a call for the client. Event thread only; the caller flushes the server's connection. */
    @Nullable
    Connection onCancel(long id) {
        Pair.Call call = calls.get(id);
        if (call == null) {
            return null;
        }
        KeptRequest kept = call.kept();
        if (kept != null) {
            kept.giveUp(); // the call may be between two replicas
        }
        Pair.Server server = call.pair().server();
        server.deliver(
                new Cancel(call.pair().clientNumber(), call.serverId())
                        .write(server.connection().allocator()),
                this);
        return server.connection();
    }

    /**
     * Forwards a part of a large argument, or credit for a result. Event thread only.
     *
     * @return the connection of the server, to be flushed; null if the call is over
     */
    @Nullable
    Connection onPart(ByteBuf frame) {
        Pair.Call call = calls.get(Header.id(frame));
        if (call == null) {
            return null;
        }
        Pair.Server to = call.pair().server();
        Header.readdress(frame, call.pair().clientNumber(), call.serverId());
        to.deliver(frame.retain(), this);
        return to.connection();
    }

    /** Forwards that the client waits for calls. Event thread only; the caller flushes the servers' connections. */
    List<Connection> onAwaited(Awaited awaited) {
        Map<Pair, List<Long>> byPair = new LinkedHashMap<>();
        for (long id : awaited.calls()) {
            Pair.Call call = calls.get(id);
            if (call != null) {
                byPair.computeIfAbsent(call.pair(), pair -> new ArrayList<>()).add(call.serverId());
            }
        }
        List<Connection> told = new ArrayList<>();
        byPair.forEach((pair, ids) -> {
            Connection server = pair.server().connection();
            pair.server().deliver(new Awaited(pair.clientNumber(), ids).write(server.allocator()), this);
            told.add(server);
        });
        return told;
    }

    @Override
    public void lost(Pair.Call call, Endpoint server) {
        String why = "the connection between the broker and the server at " + server + " broke";
        ByteBuf frame = new Failure(0, call.clientId(), ErrorCode.CONNECTION_LOST, Execution.MAYBE, why)
                .write(connection.allocator());
        remember(call.clientId(), frame, null);
        connection.write(frame);
        connection.flush();
    }

    /** Frees the number of a server: no more frames come with it. */
    @Override
    public void gone(Pair pair) {
        pairs.remove(pair.server(), pair);
        synchronized (lock) {
            held.remove(pair.server().pressure());
        }
        connection.write(new PeerGone(pair.serverNumber()).write(connection.allocator()));
        connection.flush();
        numbers.give(pair.serverNumber());
    }

    /** Withdraws the calls of the client, which is gone, where they have not begun. */
    void close() {
        synchronized (lock) {
            closed = true;
        }
        onWritable();
        announced.close();
        // The last first: if ordered calls still run, they are the first ones.
        calls.values().stream()
                .sorted(Comparator.comparingLong(Pair.Call::clientId).reversed())
                .forEach(call -> call.pair().server().callerGone(call));
        List.copyOf(pairs.values()).forEach(pair -> {
            pairs.remove(pair.server(), pair);
            pair.server().leave(pair);
        });
    }

    @Override
    public boolean isClosed() {
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
