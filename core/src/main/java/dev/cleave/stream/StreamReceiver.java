package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.stream.ReceiveBudget.Room;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Same;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/**
 * Receives the stream of one message: fills the arrays of its blocks from chunks, first those without which the message
 * is not complete, then those of its {@linkplain StreamedValue streamed values}. Keeps its share of the {@link
 * ReceiveBudget} until it is closed. Thread-safe.
 *
 * <p>Another thread makes a large array when its first bytes arrive. Until the array exists the bytes are kept as they
 * came, and no more credit is granted: at most {@link InboundStreams#WINDOW} bytes. While a message has no room, only
 * the bytes that were sent without credit are kept so.
 */
public final class StreamReceiver implements AutoCloseable, ReceiveBudget.Holder {

    /** The streams of the connection. */
    interface Owner {

        /** The receiver has been closed, and its room is to be given back. */
        void closed(StreamReceiver receiver);

        /** The message has lost its room; runs a task on the event thread. On any thread. */
        void dropped(Runnable task);

        /** The time in nanoseconds, never 0. */
        long now();
    }

    private final Owner owner;
    private final StreamKey key;
    private final List<Block> blocks;
    private final List<Block> own; // blocks that the message needs to be complete
    private final List<StreamedValue> values;
    private final List<StreamedValue> valueOf; // the value of each further block
    private final long total;
    private int filling; // index of the block that is filled next; event thread only
    private int next; // index of the block that arrives; event thread only
    private long at; // bytes of that block that have come; event thread only
    private long arrived; // event thread only
    private long filled; // bytes of the message put into arrays; event thread only
    private long granted; // event thread only
    private long credited; // up to which byte there was credit, of a message with named blocks; event thread only
    private volatile KeptBlocks.@Nullable OfMessage named;
    boolean isGivenPart; // of a block that is here; event thread only
    private int place; // place of the last chunk, if it named one; event thread only
    private long since; // bytes since the last sign of arrival; event thread only
    private volatile boolean begun;
    private volatile long expectedSince; // 0 if the next bytes are not the sender's to send

    @GuardedBy("this")
    private Room room = Room.LATER;

    @GuardedBy("this")
    private final Queue<Held> held = new ArrayDeque<>(0); // parts without an array yet, in order of arrival

    @GuardedBy("this")
    private boolean ready;

    @GuardedBy("this")
    private long readyNanos;

    @GuardedBy("this")
    private boolean complete;

    @GuardedBy("this")
    private boolean closed;

    @GuardedBy("this")
    private @Nullable Runnable task; // runs when the message is complete

    @GuardedBy("this")
    private boolean needsAll; // the task

    @GuardedBy("this")
    private @Nullable Runnable whenDropped;

    /** A part of a block; owns its bytes. */
    private record Held(Block block, long from, ByteBuf bytes) {}

    StreamReceiver(Owner owner, StreamKey key, List<Blocks> announced) {
        this.owner = requireNonNull(owner, "owner");
        this.key = key;
        blocks = announced.stream().map(BlockFactory::received).toList();
        total = Blocks.total(announced);
        int mine = 0;
        while (mine < announced.size() && announced.get(mine).group() == 0) {
            mine++;
        }
        own = blocks.subList(0, mine);
        values = new ArrayList<>();
        valueOf = new ArrayList<>();
        int end = mine;
        while (end < announced.size()) {
            int begin = end;
            int group = announced.get(begin).group();
            while (end < announced.size() && announced.get(end).group() == group) {
                end++;
            }
            if (group == 0 || values.stream().anyMatch(value -> value.number() == group)) {
                throw new WireException(ErrorCode.PROTOCOL, "blocks of group " + group + " behind those of another");
            }
            StreamedValue value = new StreamedValue(group, blocks.subList(begin, end));
            values.add(value);
            valueOf.addAll(Collections.nCopies(end - begin, value));
        }
        ready = own.isEmpty();
    }

    /** The bytes that follow. */
    public long total() {
        return total;
    }

    /** Lets the blocks that its sender has named come from here, or be kept here; returns those that are here. */
    Same named(KeptBlocks kept, Same said) {
        KeptBlocks.OfMessage found = kept.find(said, own);
        named = found;
        return new Same(
                said.id(),
                true,
                said.blocks().stream().filter(each -> found.has(each.index())).toList());
    }

    /** Whether its sender has named blocks. */
    boolean hasNamed() {
        return named != null;
    }

    /** The next part of a block that is here and may come now; null if the next bytes are those of its sender. Event thread only. */
    @Nullable
    ByteBuf part() {
        KeptBlocks.OfMessage found = named;
        long most = Math.min(KeptBlocks.PIECE, granted - arrived);
        return found == null || next >= own.size()
                ? null
                : found.part(next, at, most - most % blocks.get(next).elementSize());
    }

    /** The credit for the bytes before the next block that is here, if there is none yet. Event thread only. */
    long credit() {
        KeptBlocks.OfMessage found = named;
        long end = arrived - at;
        for (int i = next; found != null && i < blocks.size() && !found.has(i); i++) {
            end += blocks.get(i).bytes();
        }
        long before = Math.max(credited, arrived);
        credited = Math.max(before, Math.min(end, granted));
        return credited - before;
    }

    /** Whether there is no room for it yet. */
    public synchronized boolean lacksRoom() {
        return room == Room.LATER;
    }

    /** Sets the room that was made for it; false if it was closed meanwhile. */
    synchronized boolean room(Room taken) {
        room = taken;
        return !closed;
    }

    /** Its room, once: the caller gives it back. */
    synchronized Room takeRoom() {
        Room taken = room;
        room = Room.MADE;
        return taken;
    }

    StreamKey key() {
        return key;
    }

    /** The relayed client or server that it comes from, or 0. */
    public int peer() {
        return key.peer();
    }

    /** Whether all blocks but those of streamed values have arrived. */
    public synchronized boolean isReady() {
        return ready;
    }

    /** Whether all blocks have arrived. */
    public synchronized boolean isComplete() {
        return complete;
    }

    /** The streamed values of the message. */
    public List<StreamedValue> values() {
        return Collections.unmodifiableList(values);
    }

    /** The bytes of all blocks but those of streamed values. */
    public long ownBytes() {
        return own.stream().mapToLong(Block::bytes).sum();
    }

    /** When it {@linkplain #isReady became ready}, on the clock of {@link System#nanoTime}. */
    public synchronized long readyNanos() {
        return readyNanos;
    }

    /**
     * All blocks but those of streamed values.
     *
     * @throws IllegalStateException unless {@link #isReady}
     */
    public synchronized List<Block> blocks() {
        if (!ready) {
            throw new IllegalStateException("blocks of " + key + " that have not arrived");
        }
        return own;
    }

    /**
     * Runs a task when all blocks have arrived, or now if they have; never if this is closed before. On the event
     * thread; one task.
     */
    public void whenComplete(Runnable todo) {
        when(todo, true);
    }

    /** Runs a task as {@link #whenComplete}, but when {@link #isReady}. */
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
     * Lets this lose its room if nothing arrives and another message needs the room, and then runs a task on the event
     * thread. One task; without it the room is kept, as that of a result is, whose call has been executed.
     */
    public synchronized void whenDropped(Runnable todo) {
        whenDropped = todo;
    }

    @Override
    public long stalledFor(long now) {
        long from = expectedSince;
        return from == 0 ? -1 : now - from - (begun ? ReceiveBudget.STALLED : ReceiveBudget.UNBEGUN).toNanos();
    }

    @Override
    public boolean dropIfStalled(long now) {
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

    /** Sets the call to which the streamed values belong. */
    public void belongsTo(StreamedValue.Owner whose) {
        values.forEach(value -> value.belongsTo(whose));
    }

    /** Ends the waits for streamed values that have not arrived with a failure. */
    public void fail(ErrorCode code, String why) {
        values.forEach(value -> value.fail(code, why));
    }

    /** Gives its room back: the call has ended, or has read its values. */
    @Override
    public void close() {
        close(ErrorCode.CANCELLED, "the call has ended");
    }

    /** Closes the receiver as {@link #close}; waits for its streamed values end with this failure. */
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
        KeptBlocks.OfMessage found = named;
        if (found != null) {
            found.close();
        }
        owner.closed(this);
    }

    /** Grants what is sent without credit; returns the bytes of credit to be granted besides. */
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
        KeptBlocks.OfMessage found = named;
        if (found != null) {
            found.came(next, from, bytes);
        }
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
            boolean lacksRoom = room == Room.LATER;
            if (!isFirst || lacksRoom || block.isMadeElsewhere()) {
                held.add(new Held(block, from, bytes.retainedSlice()));
                return isFirst && !lacksRoom ? block : null;
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
        } else if (since >= ReceiveBudget.SIGN) {
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
        StreamedValue value = filling < own.size() ? null : valueOf.get(filling - own.size());
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
