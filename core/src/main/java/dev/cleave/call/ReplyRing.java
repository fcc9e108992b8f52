package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.metrics.Meter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * The latest replies of one connection, one behind the other in a ring of bytes. The ring grows up to its own bound
 * and that of all rings of the node together. A reply for which there is no room replaces the oldest ones. Not
 * thread-safe.
 */
final class ReplyRing {

    /** The most bytes of one ring. */
    static final int MOST_BYTES = 1 << 20;

    /** The most bytes of all rings of a node. */
    static final long MOST_BYTES_OF_ALL = 64L << 20;

    /** The longest reply that is kept. */
    static final int LONGEST = 64 << 10;

    /** The bytes of all rings of the process. */
    private static final Meter REMEMBERED = Meter.of("remembered-replies.bytes", () -> MOST_BYTES_OF_ALL);

    private static final int FEW_BYTES = 512;
    private static final int HEAD = Long.BYTES + 2 * Integer.BYTES;

    private final AtomicLong all;
    private ByteBuf ring = Unpooled.EMPTY_BUFFER; // on the heap, its length a power of two; positions never wrap
    private long first;
    private long end;
    private long mark;
    private boolean closed;

    /**
     * A reply that was kept.
     *
     * @param reply a copy of the frame
     * @param highestType the highest number of a type in it, or -1
     */
    record Kept(ByteBuf reply, int highestType) {}

    /**
     * Creates an empty ring without memory.
     *
     * @param all how many bytes all rings have
     */
    ReplyRing(AtomicLong all) {
        this.all = requireNonNull(all, "all");
    }

    /** Keeps a copy of a reply if there is room. */
    void add(long id, ByteBuf reply, int highestType) {
        int length = reply.readableBytes();
        int needed = HEAD + padded(length);
        if (length > LONGEST || id < mark) {
            return;
        }
        dropSettled();
        while (ring.capacity() - (end - first) < needed && mayGrow()) {
            grow();
        }
        if (needed > ring.capacity()) {
            return;
        }
        while (ring.capacity() - (end - first) < needed) {
            first = next(first);
        }
        ring.setLong(at(end), id);
        ring.setInt(at(end + Long.BYTES), length);
        ring.setInt(at(end + Long.BYTES) + Integer.BYTES, highestType);
        copyIn(reply, end + HEAD, length);
        end += needed;
    }

    /** Drops the replies of all calls below a number, which the caller has. */
    void settled(long below) {
        mark = Math.max(mark, below);
        dropSettled();
    }

    /** Returns the reply of a call, or null if it is not kept. */
    @Nullable
    Kept find(long id) {
        for (long i = first; i < end; i = next(i)) {
            if (ring.getLong(at(i)) == id) {
                byte[] copy = new byte[ring.getInt(at(i + Long.BYTES))];
                int until = Math.min(copy.length, ring.capacity() - at(i + HEAD));
                ring.getBytes(at(i + HEAD), copy, 0, until);
                ring.getBytes(0, copy, until, copy.length - until);
                return new Kept(Unpooled.wrappedBuffer(copy), ring.getInt(at(i + Long.BYTES) + Integer.BYTES));
            }
        }
        return null;
    }

    int capacity() {
        return ring.capacity();
    }

    /** Frees its memory until it is needed again, unless it holds a reply that may be asked for. */
    void rest() {
        dropSettled();
        if (first == end) {
            count(-ring.capacity());
            ring = Unpooled.EMPTY_BUFFER;
        }
    }

    /** Frees its memory for good. */
    void close() {
        count(-ring.capacity());
        ring = Unpooled.EMPTY_BUFFER;
        first = end;
        closed = true;
    }

    private void dropSettled() {
        while (first < end && ring.getLong(at(first)) < mark) {
            first = next(first);
        }
    }

    private long next(long entry) {
        return entry + HEAD + padded(ring.getInt(at(entry + Long.BYTES)));
    }

    private boolean mayGrow() {
        return !closed && ring.capacity() < MOST_BYTES && all.get() < MOST_BYTES_OF_ALL;
    }

    private void grow() {
        ByteBuf before = ring;
        int capacity = Math.max(FEW_BYTES, before.capacity() * 2);
        count(capacity - before.capacity());
        ByteBuf more = Unpooled.wrappedBuffer(new byte[capacity]);
        for (long i = first; i < end; i += Long.BYTES) {
            more.setLong((int) i & capacity - 1, before.getLong((int) i & before.capacity() - 1));
        }
        ring = more;
    }

    private void count(int more) {
        all.addAndGet(more);
        REMEMBERED.add(more);
    }

    private void copyIn(ByteBuf reply, long to, int length) {
        int until = Math.min(length, ring.capacity() - at(to));
        ring.setBytes(at(to), reply, reply.readerIndex(), until);
        ring.setBytes(0, reply, reply.readerIndex() + until, length - until);
    }

    private int at(long position) {
        return (int) position & ring.capacity() - 1;
    }

    private static int padded(int length) {
        return length + 7 & -8;
    }
}
