package dev.cleave.examples.pipeline;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.WaitCondition;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Counts the round trips of a client: how often it sends a request for the first time, or after it has heard the answer to
 * one. Requests that are sent before any of them is answered are one round trip. A transport around another one.
 */
final class RoundTrips implements Transport {

    private final Transport real;
    private final AtomicInteger trips = new AtomicInteger();
    private volatile boolean hasHeard = true;

    /** Counts over a transport, which is closed with this one. */
    RoundTrips(Transport real) {
        this.real = real;
    }

    /** Begins to count. */
    void begin() {
        hasHeard = true;
        trips.set(0);
    }

    /** The round trips since {@link #begin}. */
    int count() {
        return trips.get();
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        Heard heard = new Heard(handler);
        real.connect(endpoint, heard);
        return heard.connection();
    }

    @Override
    public Listener listen(Endpoint endpoint, Acceptor acceptor) {
        return real.listen(endpoint, acceptor);
    }

    @Override
    public @Nullable String identity() {
        return real.identity();
    }

    @Override
    public void close() {
        real.close();
    }

    private void sent(FrameKind kind) {
        if (kind == FrameKind.REQUEST && hasHeard) {
            hasHeard = false;
            trips.incrementAndGet();
        }
    }

    private void heard(FrameKind kind) {
        if (kind == FrameKind.REPLY || kind == FrameKind.FAILURE) {
            hasHeard = true;
        }
    }

    /** The handler of a connection that counts. */
    private final class Heard implements FrameHandler {

        private final FrameHandler handler;
        private volatile @Nullable Counted connection;

        Heard(FrameHandler handler) {
            this.handler = handler;
        }

        Connection connection() {
            Counted known = connection;
            if (known == null) {
                throw new IllegalStateException("not connected");
            }
            return known;
        }

        @Override
        public void onOpen(Connection real) {
            Counted counted = new Counted(real);
            connection = counted;
            handler.onOpen(counted);
        }

        @Override
        public void onFrame(Connection real, ByteBuf frame) {
            heard(Header.kind(frame));
            handler.onFrame(connection(), frame);
        }

        @Override
        public void onReadComplete(Connection real) {
            handler.onReadComplete(connection());
        }

        @Override
        public void onWritable(Connection real) {
            handler.onWritable(connection());
        }

        @Override
        public void onClose(Connection real, @Nullable Throwable cause) {
            handler.onClose(connection(), cause);
        }
    }

    /** A connection whose requests are counted. */
    private final class Counted implements Connection {

        private final Connection real;

        Counted(Connection real) {
            this.real = real;
        }

        @Override
        public void write(ByteBuf frame) {
            sent(Header.kind(frame));
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
        public @Nullable String localHost() {
            return real.localHost();
        }

        @Override
        public @Nullable String identity() {
            return real.identity();
        }

        @Override
        public boolean isExposed() {
            return real.isExposed();
        }

        @Override
        public void checkFrames() {
            real.checkFrames();
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
