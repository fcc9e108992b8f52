package dev.cleave.transport;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.Timer;
import dev.cleave.transport.Transport.Acceptor;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A connection over an emulated link. It is the handler of the real connection and the connection of the real handler,
 * with a {@link DelayLine} for each direction.
 *
 * <p>Frames leave the outgoing line on the timer's thread, and the incoming line on the event thread. The end of the
 * connection travels after the frames, unless this side closed it: then it is reported at once.
 */
final class LinkConnection implements Connection, FrameHandler {

    private static final long HIGH_MARK = 256 << 10;
    private static final long LOW_MARK = 64 << 10;

    private final Acceptor acceptor;
    private final Consumer<LinkConnection> whenGone;
    private final BooleanSupplier stopped;
    private final DelayLine outgoing;
    private final DelayLine incoming;
    private final AtomicLong unsentBytes = new AtomicLong();
    private final Object lock = new Object();
    private volatile boolean full;
    private volatile boolean reading = true;
    private volatile boolean closed;
    private volatile @Nullable Connection real; // set once, by onOpen

    @GuardedBy("lock")
    private final Queue<ByteBuf> unsent = new ArrayDeque<>();

    private @Nullable FrameHandler handler; // event thread only
    private @Nullable Throwable cause; // event thread only

    LinkConnection(
            Supplier<LinkProfile> profile,
            Timer timer,
            Acceptor acceptor,
            Consumer<LinkConnection> whenGone,
            BooleanSupplier stopped) {
        this.acceptor = acceptor;
        this.whenGone = whenGone;
        this.stopped = stopped;
        outgoing = new DelayLine(profile, timer, this::sendDue);
        incoming = new DelayLine(profile, timer, this::deliverSoon);
    }

    @Override
    public ByteBufAllocator allocator() {
        return real().allocator();
    }

    @Override
    public void write(ByteBuf frame) {
        int bytes = frame.readableBytes();
        synchronized (lock) {
            if (closed) {
                frame.release();
                return;
            }
            unsent.add(frame);
        }
        if (unsentBytes.addAndGet(bytes) + outgoing.bytes() >= HIGH_MARK && !full) {
            full = true;
            flush();
            tellIfDrained(); // other threads may have sent all before the connection was marked as full
        }
    }

    @Override
    public void flush() {
        synchronized (lock) {
            ByteBuf frame = unsent.poll();
            while (frame != null) {
                unsentBytes.addAndGet(-frame.readableBytes());
                outgoing.add(frame);
                frame = unsent.poll();
            }
        }
    }

    @Override
    public boolean isWritable() {
        return !full && real().isWritable();
    }

    @Override
    public long unsent() {
        return unsentBytes.get() + outgoing.bytes() + real().unsent();
    }

    @Override
    public void reading(boolean enabled) {
        reading = enabled;
        real().reading(enabled && incoming.bytes() < HIGH_MARK);
        if (enabled) {
            deliverSoon();
        }
    }

    @Override
    public void execute(Runnable task) {
        real().execute(task);
    }

    @Override
    public Endpoint peer() {
        return real().peer();
    }

    @Override
    public @Nullable String localHost() {
        return real().localHost();
    }

    @Override
    public @Nullable String identity() {
        return real().identity();
    }

    @Override
    public boolean isToOtherHost() {
        return real().isToOtherHost();
    }

    @Override
    public boolean isExposed() {
        return real().isExposed();
    }

    @Override
    public void checkFrames() {
        real().checkFrames();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        flush();
        synchronized (lock) {
            if (closed) {
                return;
            }
            closed = true;
            outgoing.addEnd();
        }
        // Incoming frames are no longer wanted, and must not delay the end of the connection.
        reading = true;
        incoming.release();
        real().reading(true);
    }

    @Override
    public String toString() {
        return real().toString();
    }

    /** Ends the connection without waiting for frames in the lines. */
    void abort() {
        Connection connection = real;
        if (connection != null) {
            close();
            try {
                connection.execute(this::end);
            } catch (RejectedExecutionException e) {
                releaseAll(); // the executor has ended: no thread can deliver the end
            }
            connection.close();
        }
    }

    @Override
    public void onOpen(Connection connection) {
        real = connection;
        FrameHandler accepted = acceptor.accept(this);
        handler = accepted;
        accepted.onOpen(this);
    }

    @Override
    public void onFrame(Connection connection, ByteBuf frame) {
        if (closed) {
            return;
        }
        incoming.add(frame.retain());
        if (incoming.bytes() >= HIGH_MARK) {
            connection.reading(false);
        }
    }

    @Override
    public void onWritable(Connection connection) {
        if (!full) {
            tellWritable();
        }
    }

    @Override
    public void onClose(Connection connection, @Nullable Throwable why) {
        if (cause == null) {
            cause = why;
        }
        if (closed || stopped.getAsBoolean()) {
            end();
        } else {
            incoming.addEnd();
        }
    }

    private Connection real() {
        return requireNonNull(real, "real");
    }

    private void sendDue() {
        Connection connection = real();
        DelayLine.Item item = outgoing.poll();
        boolean ended = false;
        while (item != null) {
            if (item.frame() == null) {
                ended = true;
            } else {
                connection.write(item.frame());
            }
            item = outgoing.poll();
        }
        connection.flush();
        if (ended) {
            connection.close();
        } else {
            tellIfDrained();
        }
    }

    private void tellIfDrained() {
        if (full && unsentBytes.get() + outgoing.bytes() <= LOW_MARK) {
            full = false;
            onEventThread(this::tellWritable);
        }
    }

    private void deliverSoon() {
        onEventThread(this::deliverDue);
    }

    private void deliverDue() {
        FrameHandler receiver = handler;
        if (receiver == null || !reading) {
            return;
        }
        try {
            boolean any = false;
            DelayLine.Item item = next();
            while (item != null) {
                if (item.frame() == null) {
                    end();
                    return;
                }
                any = true;
                deliver(item.frame(), receiver);
                item = next();
            }
            if (any && !closed) {
                receiver.onReadComplete(this);
            }
        } catch (Throwable e) {
            cause = e; // the handler is not ours
            abort();
            return;
        }
        if (reading && !closed && incoming.bytes() <= LOW_MARK) {
            real().reading(true);
        }
    }

    private DelayLine.@Nullable Item next() {
        return reading && !closed ? incoming.poll() : null;
    }

    private void deliver(ByteBuf frame, FrameHandler receiver) {
        try {
            receiver.onFrame(this, frame);
        } finally {
            frame.release();
        }
    }

    private void tellWritable() {
        if (handler != null && !closed && isWritable()) {
            handler.onWritable(this);
        }
    }

    /** Event thread only. */
    private void end() {
        synchronized (lock) {
            closed = true;
        }
        releaseAll();
        FrameHandler receiver = handler;
        handler = null;
        if (receiver != null) {
            receiver.onClose(this, cause);
        }
    }

    private void releaseAll() {
        synchronized (lock) {
            unsent.forEach(ByteBuf::release);
            unsent.clear();
        }
        outgoing.release();
        incoming.release();
        whenGone.accept(this);
    }

    private void onEventThread(Runnable task) {
        try {
            real().execute(task);
        } catch (RejectedExecutionException e) {
            releaseAll(); // the transport has been closed, and has said so to the handler
        }
    }
}
