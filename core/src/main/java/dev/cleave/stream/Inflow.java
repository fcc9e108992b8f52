package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.serial.ArrivedBlocks;
import dev.cleave.serial.Block;
import dev.cleave.serial.LateValue;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of one message on their way in, straight into their arrays: first those that belong to the message, then values
 * that are used while they arrive. Keeps its share of {@link Arrivals} until it is closed. Thread-safe.
 *
 * <p>A large array is made elsewhere when its first bytes come. Until it is there what comes is kept as it is, and nothing
 * more is granted: at most {@link Inflows#WINDOW} bytes. Of one that has no room yet only what comes unasked is kept so.
 */
public final class Inflow implements AutoCloseable {

    /** The bytes by which a message shows that it goes on arriving. */
    static final int SIGN = 4 << 10;

    private final Inflows owner;
    private final StreamKey key;
    private final List<Block> blocks;
    private final List<Block> own; // of the message
    private final List<LateValue> late;
    private final List<LateValue> valueOf; // of each block that is not of the message
    private final long total;
    private int filling; // which block the next bytes are put into; event thread only
    private int next; // which block; event thread only
    private long at; // how much of it has come; event thread only
    private long arrived; // event thread only
    private long filled; // how much of that is in its array; event thread only
    private long granted; // event thread only
    private int place; // of the last chunk, if it said it; event thread only
    private long since; // bytes, the last sign; event thread only
    private volatile boolean begun;
    private volatile long expectedSince; // 0 if the next bytes are not the sender's to send

    @GuardedBy("this")
    private Inflows.Room room = Inflows.Room.LATER;

    @GuardedBy("this")
    private final Queue<Held> held = new ArrayDeque<>(0); // what has come and has no array yet, in its order

    @GuardedBy("this")
    private boolean ready;

    @GuardedBy("this")
    private long readyNanos;

    @GuardedBy("this")
    private boolean complete;

    @GuardedBy("this")
    private boolean closed;

    @GuardedBy("this")
    private @Nullable Runnable task; // that waits

    @GuardedBy("this")
    private boolean needsAll; // the task

    @GuardedBy("this")
    private @Nullable Runnable whenDropped;

    /** A part of a block; owns its bytes. */
    private record Held(Block block, long from, ByteBuf bytes) {}

    Inflow(Inflows owner, StreamKey key, List<Blocks> announced) {
        this.owner = requireNonNull(owner, "owner");
        this.key = key;
        blocks = announced.stream().map(Block::arriving).toList();
        total = Blocks.total(announced);
        int mine = 0;
        while (mine < announced.size() && announced.get(mine).group() == 0) {
            mine++;
        }
        own = blocks.subList(0, mine);
        late = new ArrayList<>();
        valueOf = new ArrayList<>();
        int end = mine;
        while (end < announced.size()) {
            int begin = end;
            int group = announced.get(begin).group();
            while (end < announced.size() && announced.get(end).group() == group) {
                end++;
            }
            if (group == 0 || late.stream().anyMatch(value -> value.group() == group)) {
                throw new WireException(ErrorCode.PROTOCOL, "blocks of group " + group + " behind those of another");
            }
            LateValue value = new LateValue(group, blocks.subList(begin, end));
            late.add(value);
            valueOf.addAll(Collections.nCopies(end - begin, value));
        }
        ready = own.isEmpty();
    }

    /** The bytes that follow. */
    public long total() {
        return total;
    }

    /** Whether there is no room for it yet. */
    synchronized boolean isLater() {
        return room == Inflows.Room.LATER;
    }

    /** It has room; says whether anybody still wants it. */
    synchronized boolean room(Inflows.Room taken) {
        room = taken;
        return !closed;
    }

    /** Its room, to be given back by whoever asks first. */
    synchronized Inflows.Room takeRoom() {
        Inflows.Room taken = room;
        room = Inflows.Room.MADE;
        return taken;
    }

    StreamKey key() {
        return key;
    }

    /** The relayed client or server that it comes from, or 0. */
    public int peer() {
        return key.peer();
    }

    /** Whether all that belongs to the message has come. */
    public synchronized boolean isReady() {
        return ready;
    }

    /** Whether all has come. */
    public synchronized boolean isComplete() {
        return complete;
    }

    /** The values that are used while they arrive. */
    public List<LateValue> late() {
        return Collections.unmodifiableList(late);
    }

    /** The bytes that belong to the message. */
    public long ownBytes() {
        return own.stream().mapToLong(Block::bytes).sum();
    }

    /** When all that belongs to the message had come, by the clock of {@link System#nanoTime}. */
    public synchronized long readyNanos() {
        return readyNanos;
    }

    /** Whether there are values that are used while they arrive. */
    public boolean hasLate() {
        return !late.isEmpty();
    }

    /** What belongs to the message, which has come, and the values that may still be arriving. */
    public synchronized ArrivedBlocks blocks() {
        if (!ready) {
            throw new IllegalStateException("blocks of " + key + " that have not come");
        }
        return new ArrivedBlocks(own, late);
    }

    /** Runs a task when all has come, or now if it has; never if this is closed before. On the event thread; one task. */
    public void whenComplete(Runnable todo) {
        when(todo, true);
    }

    /** As {@link #whenComplete}, when all that belongs to the message has come. */
    public void whenReady(Runnable todo) {
        when(todo, false);
    }

    private void when(Runnable todo, boolean all) {
        synchronized (this) {
            if (!(all ? complete : ready)) {
                task = todo;
                needsAll = all;
                return;
            }
        }
        todo.run();
    }

    /**
     * Lets this lose its room if nothing comes and another needs it, and then runs a task on the event thread. One task; without it
     * the room is kept, as that of a result is, whose call has been executed.
     */
    public synchronized void whenDropped(Runnable todo) {
        whenDropped = todo;
    }

    /** For how long its sender has not sent what it might, beyond the time that it has for that; negative if it has time left. */
    long stalledFor(long now) {
        long from = expectedSince;
        return from == 0 ? -1 : now - from - (begun ? Arrivals.STALLED : Arrivals.UNBEGUN).toNanos();
    }

    /** Gives its room up if its sender has not sent what it might for too long; says whether it did. On any thread. */
    boolean dropIfStalled(long now) {
        if (stalledFor(now) < 0) {
            return false;
        }
        Runnable todo;
        synchronized (this) {
            if (closed || complete || whenDropped == null) {
                return false;
            }
            todo = whenDropped;
        }
        close(ErrorCode.OVERLOAD, "it did not arrive, and others needed its room");
        owner.dropped(todo);
        return true;
    }

    /** Who waits for the values that are used while they arrive. */
    public void belongsTo(LateValue.Owner whose) {
        late.forEach(value -> value.belongsTo(whose));
    }

    /** What is still missing of the values that are used while they arrive does not come. */
    public void fail(ErrorCode code, String why) {
        late.forEach(value -> value.fail(code, why));
    }

    /** Nobody wants it any more, or what has come has been read. */
    @Override
    public void close() {
        close(ErrorCode.CANCELLED, "the call has ended");
    }

    /** As {@link #close}, and says why to those who wait for values. */
    public void close(ErrorCode code, String why) {
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            task = null;
            held.forEach(part -> part.bytes().release());
            held.clear();
        }
        fail(code, why);
        owner.closed(this);
    }

    /** Grants what may come unasked; the bytes to be granted besides. */
    long begin(long inAdvance, long window) {
        long first = Math.min(inAdvance, total);
        granted = Math.min(Math.max(window, first), total);
        expected();
        return granted - first;
    }

    /**
     * Whether a chunk is the next one, and not one that has come before. Event thread only.
     *
     * @param said its place, 0 if it is not said
     * @throws WireException if those between have not come
     */
    boolean isNext(int said) {
        int ahead = said == 0 ? 1 : Math.floorMod(said - place, Chunk.PLACES);
        if (ahead == 1) {
            place = said;
            return true;
        }
        if (ahead > 0 && ahead <= Chunk.PLACES / 2) {
            throw new WireException(
                    ErrorCode.PROTOCOL,
                    "CHUNK frame of place " + said + " for call " + key.id() + " (expected: "
                            + (place % Chunk.PLACES + 1) + ")");
        }
        return false;
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
        came(count);
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
            boolean isLater = room == Inflows.Room.LATER;
            if (!isFirst || isLater || block.isMadeElsewhere()) {
                held.add(new Held(block, from, bytes.retainedSlice()));
                return isFirst && !isLater ? block : null;
            }
        }
        fill(block, from, bytes);
        return null;
    }

    /**
     * The array that was to be made is there, or room: puts into it what has come meanwhile. Event thread only.
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

    /** Its sender may send from now on. Event thread only. */
    void expected() {
        expectedSince = owner.now();
    }

    private void came(int count) {
        since += count;
        if (arrived == granted) {
            expectedSince = 0;
        } else if (since >= SIGN) {
            since = 0;
            expectedSince = owner.now();
        }
        if (!begun) {
            begun = true;
        }
    }

    private void fill(Block block, long from, ByteBuf bytes) {
        int count = bytes.readableBytes();
        block.fill(from, count, bytes);
        filled += count;
        LateValue value = filling < own.size() ? null : valueOf.get(filling - own.size());
        if (value != null) {
            value.filled(from + count);
        }
        if (from + count == block.bytes()) {
            filling++;
            if (filling == own.size()) {
                nowReady();
            }
            if (value != null && (filling == blocks.size() || valueOf.get(filling - own.size()) != value)) {
                value.completed();
            }
        }
    }

    /** The credit to grant now, or 0. Event thread only. */
    long grant(long window) {
        if (granted < total && granted - filled <= window - window / 4) {
            long more = Math.min(filled + window, total) - granted;
            granted += more;
            if (expectedSince == 0) {
                expectedSince = owner.now();
            }
            return more;
        }
        return 0;
    }

    boolean hasAll() {
        return filled == total;
    }

    private void nowReady() {
        Runnable todo = null;
        synchronized (this) {
            ready = true;
            readyNanos = System.nanoTime();
            if (!needsAll) {
                todo = task;
                task = null;
            }
        }
        if (todo != null) {
            todo.run();
        }
    }

    /** All has come. Event thread only. */
    void end() {
        Runnable todo;
        synchronized (this) {
            complete = true;
            todo = task;
            task = null;
        }
        if (todo != null) {
            todo.run();
        }
    }
}
