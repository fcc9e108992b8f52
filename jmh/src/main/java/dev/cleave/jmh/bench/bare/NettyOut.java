package dev.cleave.jmh.bench.bare;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;

/** How the requests of all callers get into the channel. Thread-safe. */
@SuppressWarnings("FutureReturnValueIgnored") // a void promise tells the pipeline of failures
abstract sealed class NettyOut {

    final Channel channel;

    private NettyOut(Channel channel) {
        this.channel = channel;
    }

    /** Takes ownership of a request, to be sent now or at the next {@link #flush}. */
    abstract void send(ByteBuf frame);

    /** Sends what has not been sent. */
    abstract void flush();

    /** Whether a window goes as one buffer. */
    abstract boolean joins();

    /** Each request is written and flushed by itself. */
    static final class Each extends NettyOut {

        Each(Channel channel) {
            super(channel);
        }

        @Override
        void send(ByteBuf frame) {
            channel.writeAndFlush(frame, channel.voidPromise());
        }

        @Override
        void flush() {}

        @Override
        boolean joins() {
            return false;
        }
    }

    /** The event loop takes all requests that wait, and flushes once. */
    static final class Together extends NettyOut {

        private final Queue<ByteBuf> waiting = new ConcurrentLinkedQueue<>();
        private final AtomicBoolean scheduled = new AtomicBoolean();

        Together(Channel channel) {
            super(channel);
        }

        @Override
        void send(ByteBuf frame) {
            waiting.add(frame);
        }

        @Override
        void flush() {
            if (scheduled.compareAndSet(false, true)) {
                channel.eventLoop().execute(this::drain);
            }
        }

        @Override
        boolean joins() {
            return true;
        }

        private void drain() {
            scheduled.set(false);
            for (ByteBuf frame = waiting.poll(); frame != null; frame = waiting.poll()) {
                channel.write(frame, channel.voidPromise());
            }
            channel.flush();
        }
    }
}
