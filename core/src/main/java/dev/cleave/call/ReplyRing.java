package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.metrics.Meter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
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

    private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());
    private static final byte[] NOTHING = {};
    private static final int FEW_BYTES = 512;
    private static final int HEAD =
            2 * Long.BYTES; // the number of the call; its highest type, and the length in the low half

    private final AtomicLong all;
    private byte[] ring = NOTHING; // its length a power of two; positions never wrap
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
        while (ring.length - (end - first) < needed && mayGrow()) {
            grow();
        }
        if (needed > ring.length) {
            return;
        }
        while (ring.length - (end - first) < needed) {
            first = next(first);
        }
        put(end, id);
        put(end + Long.BYTES, (long) highestType << Integer.SIZE | length);
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
            if (get(i) == id) {
                long described = get(i + Long.BYTES);
                byte[] copy = new byte[(int) described];
                int until = Math.min(copy.length, ring.length - at(i + HEAD));
                System.arraycopy(ring, at(i + HEAD), copy, 0, until);
                System.arraycopy(ring, 0, copy, until, copy.length - until);
                return new Kept(Unpooled.wrappedBuffer(copy), (int) (described >>> Integer.SIZE));
            }
        }
        return null;
    }

    int capacity() {
        return ring.length;
    }

    /** Frees its memory until it is needed again, unless it holds a reply that may be asked for. */
    void rest() {
        dropSettled();
        if (first == end) {
            count(-ring.length);
            ring = NOTHING;
        }
    }

    /** Frees its memory for good. */
    void close() {
        count(-ring.length);
        ring = NOTHING;
        first = end;
        closed = true;
    }

    private void dropSettled() {
        while (first < end && get(first) < mark) {
            first = next(first);
        }
    }

    private long next(long entry) {
        return entry + HEAD + padded((int) get(entry + Long.BYTES));
    }

    private boolean mayGrow() {
        return !closed && ring.length < MOST_BYTES && all.get() < MOST_BYTES_OF_ALL;
    }

    private void grow() {
        byte[] before = ring;
        int capacity = Math.max(FEW_BYTES, before.length * 2);
        count(capacity - before.length);
        byte[] more = new byte[capacity];
        for (long i = first; i < end; i += Long.BYTES) {
            LONG.set(more, (int) i & capacity - 1, (long) LONG.get(before, (int) i & before.length - 1));
        }
        ring = more;
    }

    private void count(int more) {
        all.addAndGet(more);
        REMEMBERED.add(more);
    }

    private void copyIn(ByteBuf reply, long to, int length) {
        int until = Math.min(length, ring.length - at(to));
        reply.getBytes(reply.readerIndex(), ring, at(to), until);
        if (until < length) {
            reply.getBytes(reply.readerIndex() + until, ring, 0, length - until);
        }
    }

    private long get(long position) {
        return (long) LONG.get(ring, at(position));
    }

    private void put(long position, long value) {
        LONG.set(ring, at(position), value);
    }

    private int at(long position) {
        return (int) position & ring.length - 1;
    }

    private static int padded(int length) {
        return length + 7 & -8;
    }
}
