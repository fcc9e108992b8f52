package dev.cleave.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.Consumer;

/**
 * The datagrams that have not been acknowledged. Several small frames share a datagram. A datagram is sent again after
 * twice the round-trip time, then after twice that time, and so on. Each time the window is halved; each acknowledged
 * datagram lets it grow by one.
 *
 * <p>Not thread-safe. Times are in nanoseconds.
 */
final class SentDatagrams {

    /**
     * The most bytes of frames in a datagram: with all headers it fits into the packets of any network without
     * fragmentation.
     */
    static final int MOST_BYTES = 1_300;

    /** The most datagrams that are under way. */
    static final int WINDOW = 64;

    /** How often a datagram is sent before the path counts as broken. */
    static final int MOST_TRIES = 6;

    static final long LEAST_PATIENCE = 10_000_000;
    static final long MOST_PATIENCE = 500_000_000;

    private static final int LEAST_WINDOW = 4;
    private static final int FIRST_CAPACITY = 256;
    private static final long ACK_NANOS = 3_000_000; // how long a peer may delay an acknowledgement

    private final ByteBufAllocator allocator;
    private final Deque<Sent> sent = new ArrayDeque<>(); // datagrams that have not been sent yet are at the end
    private long last;
    private int window = WINDOW;
    private long roundTrip = 20_000_000; // smoothed

    /** Some frames, and when they were last sent. */
    static final class Sent {

        private final long number;
        private final long after;
        private final ByteBuf frames;
        private int tries;
        private long at;

        private Sent(long number, long after, ByteBuf frames) {
            this.number = number;
            this.after = after;
            this.frames = frames;
        }

        /** The number of the datagram, consecutive from 1 on. */
        long number() {
            return number;
        }

        /** The number of frames that were written to the stream before. */
        long after() {
            return after;
        }

        /** The frames, which this object still owns. */
        ByteBuf frames() {
            return frames;
        }
    }

    SentDatagrams(ByteBufAllocator allocator) {
        this.allocator = allocator;
    }

    /** Takes a frame over if it fits and there is room; else the caller still owns it. */
    boolean take(ByteBuf frame, long after) {
        int bytes = frame.readableBytes();
        if (bytes > MOST_BYTES) {
            return false;
        }
        Sent open = sent.peekLast();
        if (open == null || open.tries > 0 || open.after != after || open.frames.maxWritableBytes() < bytes) {
            if (sent.size() >= window) {
                return false;
            }
            open = new Sent(++last, after, allocator.buffer(Math.max(bytes, FIRST_CAPACITY), MOST_BYTES));
            sent.addLast(open);
        }
        open.frames.writeBytes(frame);
        frame.release();
        return true;
    }

    /** Whether all datagrams have been acknowledged. */
    boolean isEmpty() {
        return sent.isEmpty();
    }

    /** The number of the last datagram. */
    long last() {
        return last;
    }

    /** Sends the datagrams that have not been sent. */
    void send(long now, Consumer<Sent> wire) {
        for (Sent each : sent) {
            if (each.tries == 0) {
                each.tries = 1;
                each.at = now;
                wire.accept(each);
            }
        }
    }

    /** Sends the datagrams again that are due; says whether one has been sent too often for that. */
    boolean sendAgain(long now, Consumer<Sent> wire) {
        boolean halved = false;
        for (Sent each : sent) {
            if (each.tries > 0 && now - each.at >= patience() << (each.tries - 1)) {
                if (each.tries >= MOST_TRIES) {
                    return true;
                }
                if (!halved) {
                    halved = true;
                    window = Math.max(LEAST_WINDOW, window / 2);
                }
                each.tries++;
                each.at = now;
                wire.accept(each);
            }
        }
        return false;
    }

    /** Removes the datagrams up to a number, which have been acknowledged. */
    void came(long upTo, long now) {
        for (Sent first = sent.peekFirst(); first != null && first.number <= upTo; first = sent.peekFirst()) {
            sent.removeFirst();
            if (first.tries == 1) { // a datagram that was sent several times does not tell which copy was acknowledged
                roundTrip += (now - first.at - roundTrip) / 8;
            }
            window = Math.min(WINDOW, window + 1);
            first.frames.release();
        }
    }

    /** Removes all datagrams in order, to be sent by the stream. */
    void takeAll(Consumer<Sent> action) {
        for (Sent first = sent.pollFirst(); first != null; first = sent.pollFirst()) {
            action.accept(first);
            first.frames.release();
        }
    }

    /** How long to wait for an acknowledgement before a datagram is sent again for the first time. */
    long patience() {
        return Math.max(LEAST_PATIENCE, Math.min(MOST_PATIENCE, 2 * roundTrip + ACK_NANOS));
    }
}
