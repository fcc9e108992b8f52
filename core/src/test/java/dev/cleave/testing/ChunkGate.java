package dev.cleave.testing;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A transport of whose chunks so many bytes pass: the next one is held, or cuts its connection. Both sides are counted. */
public final class ChunkGate implements Transport {

    private final Transport real;
    private final List<Half> halves = new CopyOnWriteArrayList<>();
    private final Object lock = new Object();
    private long limit = Long.MAX_VALUE; // guarded by lock
    private long passed; // guarded by lock
    private boolean cuts; // guarded by lock
    private boolean cutsOnce; // guarded by lock

    /** Wraps a transport, which is closed with this one. */
    public ChunkGate(Transport real) {
        this.real = real;
    }

    /** Lets so many bytes pass from now on, then holds the rest. */
    public void hold(long bytes) {
        set(bytes, false);
    }

    /** Lets so many bytes pass from now on, then cuts. */
    public void cut(long bytes) {
        set(bytes, true);
    }

    /** Lets so many bytes pass from now on, then cuts once, and lets everything pass. */
    public void cutOnce(long bytes) {
        synchronized (lock) {
            set(bytes, true);
            cutsOnce = true;
        }
    }

    /** Lets everything pass. */
    public void open() {
        set(Long.MAX_VALUE, false);
        halves.forEach(Half::release);
    }

    private void set(long bytes, boolean cutting) {
        synchronized (lock) {
            limit = bytes;
            passed = 0;
            cuts = cutting;
            cutsOnce = false;
        }
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        Half half = new Half(handler);
        half.real = real.connect(endpoint, half);
        return half;
    }

    @Override
    public Listener listen(Endpoint endpoint, Acceptor acceptor) {
        return real.listen(endpoint, connection -> {
            Half half = new Half(null);
            half.real = connection;
            half.handler = acceptor.accept(half);
            halves.add(half);
            return half;
        });
    }

    @Override
    public void close() {
        halves.forEach(Half::drop);
        real.close();
    }

    private final class Half implements Connection, FrameHandler {

        private volatile Connection real;
        private volatile FrameHandler handler;
        private final Queue<ByteBuf> held = new ArrayDeque<>(); // guarded by lock

        private Half(FrameHandler handler) {
            this.handler = handler;
        }

        private void release() {
            synchronized (lock) {
                held.forEach(real::write);
                held.clear();
            }
            real.flush();
        }

        private void drop() {
            synchronized (lock) {
                held.forEach(ByteBuf::release);
                held.clear();
            }
        }

        @Override
        public void write(ByteBuf frame) {
            boolean isCut = false;
            synchronized (lock) {
                int bytes = frame.readableBytes() - Header.LENGTH;
                if (Header.kind(frame) != FrameKind.CHUNK || held.isEmpty() && passed + bytes <= limit) {
                    passed += Header.kind(frame) == FrameKind.CHUNK ? bytes : 0;
                    real.write(frame);
                } else if (cuts) {
                    frame.release();
                    isCut = true;
                    limit = cutsOnce ? Long.MAX_VALUE : limit;
                } else {
                    held.add(frame);
                }
            }
            if (isCut) {
                real.close();
            }
        }

        @Override
        public void onOpen(Connection connection) {
            real = connection;
            if (!halves.contains(this)) {
                halves.add(this);
            }
            handler.onOpen(this);
        }

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            handler.onFrame(this, frame);
        }

        @Override
        public void onReadComplete(Connection connection) {
            handler.onReadComplete(this);
        }

        @Override
        public void onWritable(Connection connection) {
            handler.onWritable(this);
        }

        @Override
        public void onClose(Connection connection, Throwable cause) {
            drop();
            handler.onClose(this, cause);
        }

        @Override
        public ByteBufAllocator allocator() {
            return real.allocator();
        }

        @Override
        public void flush() {
            real.flush();
        }

        @Override
        public boolean isWritable() {
            return real.isWritable();
        }

        @Override
        public void reading(boolean enabled) {
            real.reading(enabled);
        }

        @Override
        public void execute(Runnable task) {
            real.execute(task);
        }

        @Override
        public Endpoint peer() {
            return real.peer();
        }

        @Override
        public boolean isClosed() {
            return real.isClosed();
        }

        @Override
        public void close() {
            real.close();
        }
    }
}
