package dev.cleave.transport.local;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SerialExecutor;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Connects transports of one process. Listeners have names that are unique in the process. */
public final class LocalTransport implements Transport {

    private static final Map<String, Door> DOORS = new ConcurrentHashMap<>();
    private static final AtomicInteger THREADS = new AtomicInteger();
    private static final long STOP_MILLIS = 2_000;

    private final ByteBufAllocator allocator;
    private final @Nullable String identity;
    private final Set<Thread> workers = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newCachedThreadPool(this::thread);
    private final Set<LocalConnection> connections = ConcurrentHashMap.newKeySet();
    private final Set<Door> doors = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    private LocalTransport(ByteBufAllocator allocator, @Nullable String identity) {
        this.allocator = allocator;
        this.identity = identity;
    }

    /** Creates a transport with pooled buffers. */
    public static LocalTransport create() {
        return create(PooledByteBufAllocator.DEFAULT);
    }

    /** Creates a transport with buffers of an allocator. */
    public static LocalTransport create(ByteBufAllocator allocator) {
        return new LocalTransport(requireNonNull(allocator, "allocator"), null);
    }

    /**
     * Creates a transport of a side with an identity: peers, which are in this process, take its word for it.
     */
    public static LocalTransport of(@Nullable String identity) {
        return new LocalTransport(PooledByteBufAllocator.DEFAULT, identity);
    }

    @Override
    public @Nullable String identity() {
        return identity;
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        requireNonNull(handler, "handler");
        checkUse(endpoint);
        Door door = DOORS.get(endpoint.host());
        if (door == null) {
            throw refused(endpoint, null);
        }
        LocalConnection near = side(endpoint.of(door.owner().identity), connection -> handler);
        LocalConnection far = door.owner().side(Endpoint.local("client").of(identity), door.acceptor());
        near.join(far);
        CompletableFuture<Connection> opened = new CompletableFuture<>();
        try {
            // The far side opens after the near side has begun to: each finds the other ready for its frames.
            near.execute(() -> {
                try {
                    far.execute(far::open);
                    near.open();
                    opened.complete(near);
                } catch (RejectedExecutionException e) {
                    opened.completeExceptionally(e);
                }
            });
            return opened.get();
        } catch (RejectedExecutionException | ExecutionException e) {
            discard(near, far);
            throw refused(endpoint, e);
        } catch (InterruptedException e) {
            near.close();
            Thread.currentThread().interrupt();
            throw new TransportException(endpoint + ": interrupted while connecting", e);
        }
    }

    @Override
    public Listener listen(Endpoint endpoint, Acceptor acceptor) {
        requireNonNull(acceptor, "acceptor");
        checkUse(endpoint);
        Door door = new Door(this, endpoint, acceptor);
        if (DOORS.putIfAbsent(endpoint.host(), door) != null) {
            throw new TransportException(
                    endpoint + ": the name is in use in this process (close who listens there, or choose another name)",
                    null);
        }
        doors.add(door);
        return door;
    }

    @Override
    public void close() {
        closed = true;
        doors.forEach(Door::close);
        connections.forEach(LocalConnection::close);
        threads.shutdown();
        if (!workers.contains(Thread.currentThread())) {
            awaitEnd();
        }
    }

    private LocalConnection side(Endpoint peer, Acceptor acceptor) {
        LocalConnection side =
                new LocalConnection(peer, allocator, new SerialExecutor(threads), acceptor, connections::remove);
        connections.add(side);
        if (closed) {
            side.close();
        }
        return side;
    }

    private static void discard(LocalConnection near, LocalConnection far) {
        near.forget();
        far.forget();
    }

    private void checkUse(Endpoint endpoint) {
        if (!endpoint.scheme().equals("local")) {
            throw new IllegalArgumentException("endpoint: " + endpoint + " (expected: local://name)");
        }
        if (closed) {
            throw new TransportException(endpoint + ": this transport has been closed", null);
        }
        if (workers.contains(Thread.currentThread())) {
            throw new IllegalStateException(
                    endpoint + ": may not connect or listen on an event thread (expected: any other" + " thread)");
        }
    }

    private static TransportException refused(Endpoint endpoint, @Nullable Throwable cause) {
        return new TransportException(
                endpoint
                        + ": connection refused, no listener there (start the peer in this process, or check the name)",
                cause);
    }

    private Thread thread(Runnable work) {
        Thread thread = new Thread(
                () -> {
                    try {
                        work.run();
                    } finally {
                        workers.remove(Thread.currentThread());
                    }
                },
                "cleave-local-" + THREADS.incrementAndGet());
        thread.setDaemon(true);
        workers.add(thread);
        return thread;
    }

    private void awaitEnd() {
        try {
            if (!threads.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
                threads.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private record Door(LocalTransport owner, Endpoint endpoint, Acceptor acceptor) implements Listener {

        @Override
        public boolean equals(
                @Nullable Object other) { // a record's own would link call sites in each start of a server
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }

        @Override
        public void close() {
            DOORS.remove(endpoint.host(), this);
            owner.doors.remove(this);
        }
    }
}
