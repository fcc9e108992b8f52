package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.wire.Checksum;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Frames that have been written and not yet given to the channel, in their order.
 *
 * <p>For the channel and the kernel each buffer costs more than the copy of a small frame. So small frames are copied into
 * blocks, and frames of up to {@value #COPIED} bytes if others wait before them or they are on the heap. The first block is kept as long as the
 * connection, and reused when the channel has released it: a connection with few frames at a time allocates nothing. While it
 * is too small again and again, one of {@value #BLOCK} bytes is kept and used in its place.
 * Thread-safe.
 */
final class Outbox {

    /** The most bytes of a frame that is always copied. */
    static final int SMALL = 512;

    /** The most bytes of a frame that is copied if others wait before it, or if it is on the heap. */
    static final int COPIED = 4 << 10;

    /** The bytes of the first block, which is kept. */
    static final int FIRST_BLOCK = 1 << 10;

    /** The bytes of further blocks. */
    static final int BLOCK = 8 << 10;

    /** The bytes of blocks while more than {@link #BLOCK} bytes wait. */
    static final int LARGE_BLOCK = 64 << 10;

    /** A larger block is kept until it held so few bytes this many times in a row that the first would have done. */
    private static final int CALM = 8;

    private final ByteBufAllocator allocator;

    @GuardedBy("this")
    private final Deque<ByteBuf> parts = new ArrayDeque<>(3); // seldom more

    @GuardedBy("this")
    private @Nullable ByteBuf first; // the block that is kept; the channel has a reference of its own while it sends it

    @GuardedBy("this")
    private @Nullable ByteBuf larger; // a block that is kept, and used in its place, while it would be too small

    @GuardedBy("this")
    private int calm; // how often in a row the larger block held no more than the first would

    @GuardedBy("this")
    private @Nullable ByteBuf open; // the last part, if frames may be added to it

    @GuardedBy("this")
    private long bytes;

    @GuardedBy("this")
    private boolean checks;

    @GuardedBy("this")
    private boolean closed;

    Outbox(ByteBufAllocator allocator) {
        this.allocator = requireNonNull(allocator, "allocator");
    }

    /** Takes over a frame; returns the number of bytes in the outbox. */
    synchronized long add(ByteBuf frame) {
        int length = frame.readableBytes();
        if (closed) {
            frame.release();
            return bytes;
        }
        int checksum = checks ? Checksum.of(frame, frame.readerIndex(), length) : 0;
        if (length <= SMALL || length <= COPIED && (!parts.isEmpty() || !frame.hasMemoryAddress())) {
            blockFor(length).writeBytes(frame);
            frame.release();
        } else {
            parts.addLast(frame);
            open = null;
        }
        bytes += length;
        if (checks) {
            blockFor(Checksum.LENGTH).writeInt(checksum);
            bytes += Checksum.LENGTH;
        }
        return bytes;
    }

    /** Takes over a last frame without checksum; each later frame is followed by its own. */
    synchronized void check(ByteBuf last) {
        add(last);
        checks = true;
    }

    /** The number of bytes in the outbox. */
    synchronized long bytes() {
        return bytes;
    }

    /** Removes the next buffer to be sent, which the caller owns from now on; null if there is none. */
    synchronized @Nullable ByteBuf poll() {
        ByteBuf next = parts.pollFirst();
        if (next != null) {
            bytes -= next.readableBytes();
            leaves(next);
        }
        if (parts.isEmpty()) {
            open = null;
        }
        return next;
    }

    /**
     * Removes the next buffers to be sent, which the caller owns from now on: as many as fit into {@code into}, have
     * together at most {@code most} bytes, and have a memory address. Returns their number.
     */
    synchronized int poll(@Nullable ByteBuf[] into, int most) {
        int count = 0;
        int left = most;
        ByteBuf next = parts.peekFirst();
        while (next != null && count < into.length && next.readableBytes() <= left && next.hasMemoryAddress()) {
            into[count++] = poll();
            left -= next.readableBytes();
            next = parts.peekFirst();
        }
        return count;
    }

    /** Removes the next buffer to be sent, as {@link #poll()} does, if it has a memory address; else returns null. */
    synchronized @Nullable ByteBuf pollAddressed() {
        ByteBuf next = parts.peekFirst();
        return next != null && next.hasMemoryAddress() ? poll() : null;
    }

    /** Puts the last polled buffer back to the front. */
    synchronized void putBack(ByteBuf part) {
        if (closed) {
            part.release();
            return;
        }
        parts.addFirst(part);
        bytes += part.readableBytes();
    }

    /** Releases all frames; frames that are added from now on are dropped. */
    synchronized void close() {
        closed = true;
        bytes = 0;
        open = null;
        parts.forEach(ByteBuf::release);
        parts.clear();
        if (first != null) {
            first.release();
            first = null;
        }
        if (larger != null) {
            larger.release();
            larger = null;
        }
    }

    /** Gives the larger block up once it has long held few bytes. */
    @GuardedBy("this")
    private void leaves(ByteBuf part) {
        ByteBuf kept = larger;
        if (part == kept) {
            calm = part.readableBytes() <= FIRST_BLOCK ? calm + 1 : 0;
            if (calm >= CALM) {
                larger = null;
                kept.release();
            }
        }
    }

    /** Returns the last part, with room for {@code length} bytes. */
    @GuardedBy("this")
    private ByteBuf blockFor(int length) {
        ByteBuf block = open;
        if (block == null || block.writableBytes() < length) {
            block = block(length);
            parts.addLast(block);
            open = block;
        }
        return block;
    }

    @GuardedBy("this")
    private ByteBuf block(int length) {
        ByteBuf stays = first;
        if (bytes > BLOCK) {
            return allocator.directBuffer(LARGE_BLOCK, LARGE_BLOCK);
        }
        if (length > FIRST_BLOCK || larger != null) {
            return larger();
        }
        if (stays == null) {
            stays = allocator.directBuffer(FIRST_BLOCK, FIRST_BLOCK);
            first = stays;
        }
        return stays.refCnt() == 1 ? stays.clear().retain() : larger();
    }

    @GuardedBy("this")
    private ByteBuf larger() {
        ByteBuf kept = larger;
        if (kept == null) {
            kept = allocator.directBuffer(BLOCK, BLOCK);
            larger = kept;
            calm = 0;
            return kept.retain();
        }
        return kept.refCnt() == 1 ? kept.clear().retain() : allocator.directBuffer(BLOCK, BLOCK);
    }
}
