package dev.cleave.broker.relay;

import dev.cleave.metrics.Meter;
import dev.cleave.wire.Header;
import dev.cleave.wire.RequestFrame;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A relayed request that may move to another replica, kept until it has ended. Thread-safe. */
final class KeptRequest {

    /** The most bytes of kept requests; further requests are not kept and cannot move. */
    static final long MOST_BYTES = 64 << 20;

    /** The most bytes of a request that is kept. */
    static final int LONGEST = 1 << 20;

    /** The most moves of one call. */
    static final int MOST_MOVES = 16;

    /** The bytes of the kept requests. */
    private static final Meter KEPT = Meter.of("broker.kept.bytes", () -> MOST_BYTES);

    private final ByteBuf frame;
    private final AtomicLong bytes;
    private final long sentAt;
    private final int moves;
    private final AtomicBoolean released = new AtomicBoolean();
    private volatile boolean givenUp;

    private KeptRequest(ByteBuf frame, AtomicLong bytes, long sentAt, int moves) {
        this.frame = frame;
        this.bytes = bytes;
        this.sentAt = sentAt;
        this.moves = moves;
    }

    /**
     * Keeps a copy of a request; returns null if too many are kept.
     *
     * @param bytes counts the kept bytes
     * @param moves how often the call has moved
     */
    static @Nullable KeptRequest of(ByteBuf frame, AtomicLong bytes, long now, int moves) {
        int length = frame.readableBytes();
        if (moves >= MOST_MOVES || length > LONGEST) {
            return null;
        }
        if (bytes.addAndGet(length) > MOST_BYTES) {
            bytes.addAndGet(-length);
            KEPT.refused();
            return null;
        }
        KEPT.add(length);
        return new KeptRequest(frame.retainedDuplicate(), bytes, now, moves);
    }

    /** Gives the call up: the caller does not want it any more. */
    void giveUp() {
        givenUp = true;
    }

    /** Returns how often the call has moved. */
    int moves() {
        return moves;
    }

    boolean isGivenUp() {
        return givenUp;
    }

    /** Returns the rest of its deadline in microseconds; 0 if it has none, negative if that has passed. */
    long micros(long now) {
        long micros = RequestFrame.deadline(frame);
        long left = micros - (now - sentAt) / 1_000;
        return micros == 0 ? 0 : left > 0 ? left : -1;
    }

    /** Returns a copy of the request, with its number at the client; the caller owns it. */
    ByteBuf copy(ByteBufAllocator allocator, long clientId, long micros) {
        ByteBuf copy = allocator.buffer(frame.readableBytes());
        copy.writeBytes(frame, frame.readerIndex(), frame.readableBytes());
        RequestFrame.deadline(copy, micros);
        Header.readdress(copy, 0, clientId);
        return copy;
    }

    /** Releases the request; only the first time counts. */
    void release() {
        if (released.compareAndSet(false, true)) {
            bytes.addAndGet(-frame.readableBytes());
            KEPT.add(-frame.readableBytes());
            frame.release();
        }
    }
}
