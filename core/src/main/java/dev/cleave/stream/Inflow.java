package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.serial.ArrivedBlocks;
import dev.cleave.serial.Block;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one message on their way in, straight into their arrays. Keeps its share of {@link Arrivals} until it is
 * closed. Thread-safe.
 *
 * <p>A large array is made elsewhere when its first bytes come. Until it is there what comes is kept as it is, and nothing
 * more is granted: at most {@link Inflows#WINDOW} bytes.
 */
public final class Inflow implements AutoCloseable {

    private final Inflows owner;
    private final StreamKey key;
    private final List<Block> blocks;
    private final long total;
    private int next; // which block; event thread only
    private long at; // how much of it has come; event thread only
    private long arrived; // event thread only
    private long filled; // how much of that is in its array; event thread only
    private long granted; // event thread only

    @GuardedBy("this")
    private final Queue<Held> held = new ArrayDeque<>(0); // what has come and has no array yet, in its order

    @GuardedBy("this")
    private boolean complete;

    @GuardedBy("this")
    private boolean closed;

    @GuardedBy("this")
    private @Nullable Runnable whenComplete;

    /** A part of a block; owns its bytes. */
    private record Held(Block block, long from, ByteBuf bytes) {}

    Inflow(Inflows owner, StreamKey key, List<Block> blocks, long total) {
        this.owner = requireNonNull(owner, "owner");
        this.key = key;
        this.blocks = blocks;
        this.total = total;
    }

    StreamKey key() {
        return key;
    }

    /** Whether all has come. */
    public synchronized boolean isComplete() {
        return complete;
    }

    /** What has come; only when that is all. */
    public synchronized ArrivedBlocks blocks() {
        if (!complete) {
            throw new IllegalStateException("blocks of " + key + " that have not come");
        }
        return new ArrivedBlocks(blocks);
    }

    /** Runs a task when all has come, or now if it has; never if this is closed before. On the event thread; one task. */
    public void whenComplete(Runnable task) {
        synchronized (this) {
            if (!complete) {
                whenComplete = task;
                return;
            }
        }
        task.run();
    }

    /** Nobody wants it any more, or what has come has been read. */
    @Override
    public void close() {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            whenComplete = null;
            held.forEach(part -> part.bytes().release());
            held.clear();
        }
        owner.closed(this, total);
    }

    /** Grants what may come unasked; the bytes to be granted besides. */
    long begin(long inAdvance, long window) {
        long first = Math.min(inAdvance, total);
        granted = Math.min(Math.max(window, first), total);
        return granted - first;
    }

    /**
     * Takes some bytes. Event thread only.
     *
     * @return the block whose array is to be made elsewhere now, to be followed by {@link #made}; null if none is
     * @throws WireException if there are more than were granted, or not whole elements of one block
     */
    @Nullable
    Block take(ByteBuf bytes) {
        int count = bytes.readableBytes();
        Block block = next < blocks.size() ? blocks.get(next) : null;
        if (block == null
                || arrived + count > granted
                || count > block.bytes() - at
                || count % block.elementSize() != 0) {
            throw new WireException(
                    ErrorCode.PROTOCOL,
                    "CHUNK frame with " + count + " bytes for call " + key.id() + " (expected: at most "
                            + (granted - arrived) + " that were granted, of one value)");
        }
        long from = at;
        arrived += count;
        at += count;
        if (at == block.bytes()) {
            at = 0;
            next++;
        }
        synchronized (this) {
            if (closed) {
                return null;
            }
            boolean isFirst = held.isEmpty();
            if (!isFirst || block.isMadeElsewhere()) {
                held.add(new Held(block, from, bytes.retainedSlice()));
                return isFirst ? block : null;
            }
        }
        fill(block, from, bytes);
        return null;
    }

    /**
     * The array that was to be made is there: puts into it what has come meanwhile. Event thread only.
     *
     * @return as {@link #take}
     */
    @Nullable
    Block made() {
        while (true) {
            Held part;
            synchronized (this) {
                part = held.peek();
                if (part == null || part.block().isMadeElsewhere()) {
                    return part == null ? null : part.block();
                }
                held.remove();
            }
            try {
                fill(part.block(), part.from(), part.bytes());
            } finally {
                part.bytes().release();
            }
        }
    }

    private void fill(Block block, long from, ByteBuf bytes) {
        int count = bytes.readableBytes();
        block.fill(from, count, bytes);
        filled += count;
    }

    /** The credit to grant now, or 0. Event thread only. */
    long grant(long window) {
        if (granted < total && granted - filled <= window - window / 4) {
            long more = Math.min(filled + window, total) - granted;
            granted += more;
            return more;
        }
        return 0;
    }

    boolean hasAll() {
        return filled == total;
    }

    /** All has come. Event thread only. */
    void end() {
        Runnable task;
        synchronized (this) {
            complete = true;
            task = whenComplete;
            whenComplete = null;
        }
        if (task != null) {
            task.run();
        }
    }
}
