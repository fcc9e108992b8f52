package dev.cleave.testing;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Transport;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A transport that delivers frames of some kinds twice, the second time at once or behind later frames of the connection, as
 * a seed says.
 */
public final class DoublingTransport extends WrappedTransport {

    private static final int MOST_LATE = 50;

    private final Set<FrameKind> kinds;
    private final Random random;
    private final AtomicInteger doubled = new AtomicInteger();

    /** Wraps a transport, which is closed with this one. */
    public DoublingTransport(Transport real, Set<FrameKind> kinds, long seed) {
        super(real);
        this.kinds = kinds;
        random = new Random(seed);
    }

    /** How many frames have come twice. */
    public int doubled() {
        return doubled.get();
    }

    @Override
    protected Half half() {
        return new Doubling();
    }

    private final class Doubling extends Half {

        private final Deque<ByteBuf> late = new ArrayDeque<>(); // event thread only

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            ByteBuf copy = kinds.contains(Header.kind(frame)) ? frame.copy() : null;
            super.onFrame(connection, frame);
            int choice;
            synchronized (random) {
                choice = random.nextInt(8);
            }
            if (copy != null && choice < 4) {
                deliver(connection, copy);
            } else if (copy != null) {
                late.add(copy);
            }
            if (!late.isEmpty() && (choice == 7 || late.size() > MOST_LATE)) {
                deliver(connection, late.pop());
            }
        }

        private void deliver(Connection connection, ByteBuf copy) {
            if (!isClosed()) {
                doubled.incrementAndGet();
                super.onFrame(connection, copy);
            }
            copy.release();
        }

        @Override
        public void onClose(Connection connection, Throwable cause) {
            late.forEach(ByteBuf::release);
            late.clear();
            super.onClose(connection, cause);
        }
    }
}
