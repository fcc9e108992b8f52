package dev.cleave.testing;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CopyOnWriteArrayList;

/** A transport whose accepting side can be frozen, as SIGSTOP does: connections stand, and nothing goes in or out. */
public final class FreezingTransport implements Transport {

    private final Transport real;
    private final List<Half> accepted = new CopyOnWriteArrayList<>();
    private volatile boolean frozen;

    /** Wraps a transport, which is closed with this one. */
    public FreezingTransport(Transport real) {
        this.real = real;
    }

    /** Nothing goes in or out of accepted connections from now on. */
    public void freeze() {
        frozen = true;
        accepted.forEach(half -> half.real.reading(false));
    }

    /** What was held goes on. */
    public void thaw() {
        frozen = false;
        accepted.forEach(Half::thaw);
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        return real.connect(endpoint, handler);
    }

    @Override
    public Listener listen(Endpoint endpoint, Acceptor acceptor) {
        return real.listen(endpoint, connection -> {
            Half half = new Half(connection);
            accepted.add(half);
            half.handler = acceptor.accept(half);
            return half;
        });
    }

    @Override
    public void close() {
        accepted.forEach(Half::drop);
        real.close();
    }

    private final class Half implements Connection, FrameHandler {

        private final Connection real;
        private final Queue<ByteBuf> held = new ArrayDeque<>();
        private FrameHandler handler;

        private Half(Connection real) {
            this.real = real;
        }

        private void thaw() {
            List<ByteBuf> frames;
            synchronized (held) {
                frames = new ArrayList<>(held);
                held.clear();
            }
            frames.forEach(real::write);
            real.flush();
            real.reading(true);
        }

        private void drop() {
            synchronized (held) {
                held.forEach(ByteBuf::release);
                held.clear();
            }
        }

        @Override
        public void write(ByteBuf frame) {
            if (frozen) {
                synchronized (held) {
                    held.add(frame);
                }
            } else {
                real.write(frame);
            }
        }

        @Override
        public void onOpen(Connection connection) {
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
            real.reading(enabled && !frozen);
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
