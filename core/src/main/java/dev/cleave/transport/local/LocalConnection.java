package dev.cleave.transport.local;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.SerialExecutor;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Transport.Acceptor;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One of the two sides of a connection within the process.
 *
 * <p>A written frame waits in {@code outgoing} of this side; a flush moves it to {@code incoming} of the other side,
 * where the other side's serial executor delivers it and releases it. Of the locks of the two sides never more than one
 * is held.
 */
final class LocalConnection implements Connection {

    private static final int HIGH_MARK = 256 << 10;
    private static final int LOW_MARK = 64 << 10;

    private final Endpoint peer;
    private final ByteBufAllocator allocator;
    private final SerialExecutor events;
    private final Acceptor acceptor;
    private final Consumer<LocalConnection> whenGone;
    private final AtomicLong underWay = new AtomicLong();
    private final Object sending = new Object(); // held while frames change sides, so that flushes keep their order
    private final Object lock = new Object();
    private volatile boolean full;

    private @Nullable LocalConnection other; // set once, before other threads see this side
    private @Nullable FrameHandler handler; // event thread only
    private int limit = Header.HELLO_LIMIT; // event thread only

    @GuardedBy("lock")
    private final Queue<ByteBuf> outgoing = new ArrayDeque<>();

    @GuardedBy("lock")
    private final Queue<ByteBuf> incoming = new ArrayDeque<>();

    @GuardedBy("lock")
    private boolean reading = true;

    @GuardedBy("lock")
    private boolean otherClosed;

    @GuardedBy("lock")
    private boolean closed;

    LocalConnection(
            Endpoint peer,
            ByteBufAllocator allocator,
            SerialExecutor events,
            Acceptor acceptor,
            Consumer<LocalConnection> whenGone) {
        this.peer = peer;
        this.allocator = allocator;
        this.events = events;
        this.acceptor = acceptor;
        this.whenGone = whenGone;
    }

    void join(LocalConnection side) {
        other = side;
        side.other = this;
    }

    /** Calls the handler's {@code onOpen}. Event thread only. */
    void open() {
        try {
            FrameHandler accepted = acceptor.accept(this);
            handler = accepted;
            accepted.onOpen(this);
        } catch (Throwable e) {
            end(e); // the handler is not ours
        }
    }

    /** Drops a side that never opened. */
    void forget() {
        markClosed();
        whenGone.accept(this);
    }

    @Override
    public ByteBufAllocator allocator() {
        return allocator;
    }

    @Override
    public void write(ByteBuf frame) {
        int bytes = frame.readableBytes();
        synchronized (lock) {
            if (closed) {
                frame.release();
                return;
            }
            outgoing.add(frame);
        }
        if (underWay.addAndGet(bytes) >= HIGH_MARK && !full) {
            full = true;
            flush();
            tellIfDrained(underWay.get()); // all bytes may have arrived before the connection was marked as full
        }
    }

    @Override
    public void flush() {
        LocalConnection side = other();
        boolean moved = false;
        synchronized (sending) {
            ByteBuf frame = nextOutgoing();
            while (frame != null) {
                side.receive(frame);
                moved = true;
                frame = nextOutgoing();
            }
        }
        if (moved) {
            side.wake();
        }
    }

    @Override
    public boolean isWritable() {
        return !full;
    }

    @Override
    public long unsent() {
        return underWay.get();
    }

    @Override
    public void reading(boolean enabled) {
        synchronized (lock) {
            reading = enabled;
        }
        if (enabled) {
            wake();
        }
    }

    @Override
    public void execute(Runnable task) {
        events.execute(task);
    }

    @Override
    public Endpoint peer() {
        return peer;
    }

    @Override
    public @Nullable String identity() {
        return peer.identity();
    }

    @Override
    public boolean isClosed() {
        synchronized (lock) {
            return closed;
        }
    }

    @Override
    public void close() {
        flush();
        if (markClosed()) {
            other().otherHasClosed();
            try {
                events.execute(() -> tellClosed(null));
            } catch (RejectedExecutionException e) {
                whenGone.accept(this); // the transport has been closed: no thread can call the handler
            }
        }
    }

    @Override
    public String toString() {
        return peer.toString();
    }

    private LocalConnection other() {
        return requireNonNull(other, "other");
    }

    private @Nullable ByteBuf nextOutgoing() {
        synchronized (lock) {
            return outgoing.poll();
        }
    }

    private void receive(ByteBuf frame) {
        synchronized (lock) {
            if (!closed) {
                incoming.add(frame);
                return;
            }
        }
        discard(frame);
    }

    private void otherHasClosed() {
        synchronized (lock) {
            otherClosed = true;
        }
        wake();
    }

    private void wake() {
        try {
            events.execute(this::deliver);
        } catch (RejectedExecutionException e) {
            markClosed(); // the transport has been closed, and this side with it
        }
    }

    /** Event thread only. */
    private void deliver() {
        FrameHandler receiver = handler;
        if (receiver == null) {
            return;
        }
        try {
            boolean any = false;
            ByteBuf frame = nextIncoming();
            while (frame != null) {
                any = true;
                deliver(frame, receiver);
                frame = nextIncoming();
            }
            if (any && !isClosed()) {
                receiver.onReadComplete(this);
            }
        } catch (Throwable e) {
            end(e); // an exception of the handler, or bytes that are no frame
            return;
        }
        if (hasEnded()) {
            end(null);
        }
    }

    private void deliver(ByteBuf frame, FrameHandler receiver) {
        try {
            int length = Header.frameLength(frame, limit);
            if (length != frame.readableBytes()) {
                throw new WireException(
                        ErrorCode.PROTOCOL, "frame length: " + length + " (expected: " + frame.readableBytes() + ")");
            }
            limit = Header.CALL_LIMIT;
            other().sent(length);
            receiver.onFrame(this, frame);
        } finally {
            frame.release();
        }
    }

    private void discard(ByteBuf frame) {
        other().sent(frame.readableBytes());
        frame.release();
    }

    /** Counts bytes of this side that have arrived. */
    private void sent(int bytes) {
        tellIfDrained(underWay.addAndGet(-bytes));
    }

    private void tellIfDrained(long left) {
        if (left <= LOW_MARK && full) {
            full = false;
            try {
                events.execute(this::tellWritable);
            } catch (RejectedExecutionException e) {
                markClosed(); // the transport has been closed, and this side with it
            }
        }
    }

    private @Nullable ByteBuf nextIncoming() {
        synchronized (lock) {
            return reading && !closed ? incoming.poll() : null;
        }
    }

    private boolean hasEnded() {
        synchronized (lock) {
            return otherClosed && incoming.isEmpty() && !closed;
        }
    }

    /** Event thread only. */
    private void end(@Nullable Throwable cause) {
        if (markClosed()) {
            other().otherHasClosed();
            tellClosed(cause);
        }
    }

    private boolean markClosed() {
        Queue<ByteBuf> dropped;
        synchronized (lock) {
            if (closed) {
                return false;
            }
            closed = true;
            dropped = new ArrayDeque<>(incoming);
            incoming.clear();
            outgoing.forEach(ByteBuf::release);
            outgoing.clear();
        }
        dropped.forEach(this::discard);
        return true;
    }

    /** Event thread only. */
    private void tellWritable() {
        if (handler != null && !isClosed()) {
            handler.onWritable(this);
        }
    }

    /** Event thread only. */
    private void tellClosed(@Nullable Throwable cause) {
        whenGone.accept(this);
        FrameHandler receiver = handler;
        handler = null;
        if (receiver != null) {
            receiver.onClose(this, cause);
        }
    }
}
