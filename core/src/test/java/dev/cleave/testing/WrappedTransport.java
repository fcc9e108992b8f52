package dev.cleave.testing;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.WaitCondition;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** A transport around another one, whose connections can be made to behave in another way. Closes the other one with itself. */
public abstract class WrappedTransport implements Transport {

    private final Transport real;

    protected WrappedTransport(Transport real) {
        this.real = real;
    }

    /** A connection on its way: its calls go to the real one, its events to the real handler, unless a method is overridden. */
    protected Half half() {
        return new Half();
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        Half half = half();
        half.handler = handler;
        Connection unused = real.connect(endpoint, half);
        return half;
    }

    @Override
    public Listener listen(Endpoint endpoint, Acceptor acceptor) {
        return real.listen(endpoint, connection -> {
            Half half = half();
            half.real = connection;
            half.handler = acceptor.accept(half);
            return half;
        });
    }

    @Override
    public void close() {
        real.close();
    }

    /** Both sides of a connection. */
    protected static class Half implements Connection, FrameHandler {

        private volatile Connection real;
        private FrameHandler handler;

        protected Half() {}

        @Override
        public void onOpen(Connection connection) {
            real = connection;
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
            handler.onClose(this, cause);
        }

        @Override
        public void write(ByteBuf frame) {
            real.write(frame);
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
        public long unsent() {
            return real.unsent();
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
        public void await(WaitCondition awaited, long atNanos) {
            real.await(awaited, atNanos);
        }

        @Override
        public void wakeWaiting() {
            real.wakeWaiting();
        }

        @Override
        public boolean mayRunProgram() {
            return real.mayRunProgram();
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
