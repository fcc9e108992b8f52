package dev.cleave.lab.chaos;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.WaitCondition;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A transport whose dialled connections are cut between two frames, as a {@link Cuts} says, and through which a process speaks that
 * has a defect. Thread-safe.
 */
final class FaultyTransport implements Transport {

    private final Transport real;
    private final Predicate<Endpoint> cuts;
    private final Function<Pipe, FrameDefect> defect;

    /**
     * Wraps a transport, which is closed with this one.
     *
     * @param cuts says of a peer whether the connection that was dialled to it is cut in the place of the next frame
     * @param defect the defect of the process for the frames of a connection
     */
    FaultyTransport(Transport real, Predicate<Endpoint> cuts, Function<Pipe, FrameDefect> defect) {
        this.real = real;
        this.cuts = cuts;
        this.defect = defect;
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        Pipe pipe = new Pipe(connection -> handler, true);
        real.connect(endpoint, pipe);
        return pipe;
    }

    @Override
    public Listener listen(Endpoint endpoint, Acceptor acceptor) {
        return real.listen(endpoint, connection -> new Pipe(acceptor, false));
    }

    @Override
    public void close() {
        real.close();
    }

    /** One connection, as its process sees it. */
    final class Pipe implements Connection, FrameHandler {

        private final Acceptor acceptor;
        private final boolean dialled;
        private final FrameDefect frames;
        private @Nullable Connection under;
        private @Nullable FrameHandler above;

        private Pipe(Acceptor acceptor, boolean dialled) {
            this.acceptor = acceptor;
            this.dialled = dialled;
            this.frames = defect.apply(this);
        }

        private Connection under() {
            Connection now = under;
            if (now == null) {
                throw new IllegalStateException("not open");
            }
            return now;
        }

        /** Sends a frame to the peer, past the defect. */
        void send(ByteBuf frame) {
            under().write(frame);
            under().flush();
        }

        /** Lets the process receive a frame, past the defect, later on the thread that delivers them; releases it. */
        void deliverLater(ByteBuf frame) {
            under().execute(() -> {
                deliver(frame);
                frame.release();
            });
        }

        /** Lets the process receive a frame, past the defect. On the thread that delivers them. */
        void deliver(ByteBuf frame) {
            FrameHandler handler = above;
            if (handler != null) {
                handler.onFrame(this, frame);
                handler.onReadComplete(this);
            }
        }

        private boolean isCut() {
            boolean cut = dialled && cuts.test(under().peer());
            if (cut) {
                under().close();
            }
            return cut;
        }

        @Override
        public void onOpen(Connection connection) {
            under = connection;
            FrameHandler handler = acceptor.accept(this);
            above = handler;
            handler.onOpen(this);
        }

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            if (!isCut()) {
                FrameHandler handler = above;
                if (handler != null && frames.in(frame)) {
                    handler.onFrame(this, frame);
                }
            }
        }

        @Override
        public void onReadComplete(Connection connection) {
            FrameHandler handler = above;
            if (handler != null) {
                handler.onReadComplete(this);
            }
        }

        @Override
        public void onWritable(Connection connection) {
            FrameHandler handler = above;
            if (handler != null) {
                handler.onWritable(this);
            }
        }

        @Override
        public void onClose(Connection connection, @Nullable Throwable cause) {
            FrameHandler handler = above;
            if (handler != null) {
                handler.onClose(this, cause);
            }
        }

        @Override
        public ByteBufAllocator allocator() {
            return under().allocator();
        }

        @Override
        public void write(ByteBuf frame) {
            if (isCut()) {
                frame.release();
            } else if (frames.out(frame)) {
                under().write(frame);
            } else {
                frame.release();
            }
        }

        @Override
        public void flush() {
            under().flush();
        }

        @Override
        public boolean isWritable() {
            return under().isWritable();
        }

        @Override
        public long unsent() {
            return under().unsent();
        }

        @Override
        public void reading(boolean enabled) {
            under().reading(enabled);
        }

        @Override
        public void execute(Runnable task) {
            under().execute(task);
        }

        @Override
        public void await(WaitCondition awaited, long atNanos) {
            under().await(awaited, atNanos);
        }

        @Override
        public void wakeWaiting() {
            under().wakeWaiting();
        }

        @Override
        public boolean mayRunProgram() {
            return under().mayRunProgram();
        }

        @Override
        public Endpoint peer() {
            return under().peer();
        }

        @Override
        public boolean isClosed() {
            return under().isClosed();
        }

        @Override
        public void close() {
            under().close();
        }
    }
}
