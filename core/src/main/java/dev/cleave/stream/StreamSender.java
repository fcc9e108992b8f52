package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.Header;
import dev.cleave.wire.Same;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Sends the stream of one message: cuts its blocks into chunks. It reads the arrays of the program part by part, until
 * {@link #stop} or {@link #copyRest} has returned: neither returns while a part is being read. Thread-safe.
 */
public final class StreamSender {

    private final StreamKey key;
    private final int peer;

    @GuardedBy("this")
    private List<Block> blocks;

    @GuardedBy("this")
    private int next; // index of the block

    @GuardedBy("this")
    private long at; // bytes of it that are taken

    private int place; // place of the last chunk

    @GuardedBy("this")
    private long taken;

    @GuardedBy("this")
    private boolean over;

    @GuardedBy("this")
    private @Nullable Runnable whenOver;

    @GuardedBy("this")
    private List<StreamedValue> followed = List.of();

    @GuardedBy("this")
    private @Nullable Runnable following;

    @GuardedBy("this")
    private final BitSet skipped = new BitSet(0); // blocks that the receiver has

    private boolean names; // set before it is sent

    @GuardedBy("this")
    private long spared;

    long credit; // event thread only

    long startedNanos; // until the first answer of the receiver, then 0; event thread only

    boolean isReady; // stands in the queue; event thread only

    private StreamSender(StreamKey key, int peer, List<Block> blocks) {
        this.key = requireNonNull(key, "key");
        this.peer = peer;
        this.blocks = List.copyOf(blocks);
    }

    /** Prepares the blocks of a request to a peer; nothing is read yet. */
    public static StreamSender ofRequest(int peer, long id, List<Block> blocks) {
        return new StreamSender(new StreamKey(0, id, false), peer, blocks);
    }

    /** Names blocks by their contents: nothing is sent before the receiver has said which of them it has. */
    public StreamSender naming() {
        names = true;
        return this;
    }

    boolean names() {
        return names;
    }

    /** The receiver has some blocks. */
    synchronized void has(Same said) {
        for (Same.Entry each : said.blocks()) {
            int index = each.index();
            if (index < blocks.size() && (index > next || index == next && at == 0) && !skipped.get(index)) {
                skipped.set(index);
                spared += blocks.get(index).bytes();
            }
        }
    }

    /** The bytes that were not sent, as the receiver had them. */
    public synchronized long spared() {
        return spared;
    }

    /** Prepares the blocks of a reply to a peer; nothing is read yet. */
    public static StreamSender ofReply(int peer, long id, List<Block> blocks) {
        return new StreamSender(new StreamKey(peer, id, true), peer, blocks);
    }

    StreamKey key() {
        return key;
    }

    /** Sends no more; the program may change its arrays when this has returned. Says whether something was not sent. */
    public boolean stop() {
        boolean isFirst;
        synchronized (this) {
            isFirst = !over;
            isOverNow();
        }
        ended();
        return isFirst;
    }

    /** Runs a task when all has been sent or this is {@linkplain #stop stopped}, or now if so. It may not block. */
    public void onOver(Runnable task) {
        synchronized (this) {
            if (!over) {
                whenOver = task;
                return;
            }
        }
        task.run();
    }

    @GuardedBy("this")
    private void isOverNow() {
        over = true;
        blocks = List.of();
        notifyAll();
    }

    /** Runs the task that waits for the end, if all has been sent. */
    void ended() {
        Runnable task;
        synchronized (this) {
            if (!over) {
                return;
            }
            Runnable known = following;
            if (known != null) {
                followed.forEach(value -> value.unfollow(known));
            }
            following = null;
            followed = List.of();
            task = whenOver;
            whenOver = null;
        }
        if (task != null) {
            task.run();
        }
    }

    /** Whether it sends values that are still being received. */
    synchronized boolean forwards() {
        return following != null;
    }

    /** The values that it sends while they are being received. */
    public synchronized List<StreamedValue> sources() {
        return BlockFactory.sources(blocks);
    }

    /** Runs a task whenever more of its {@link #sources} has arrived. */
    synchronized void follow(Runnable task) {
        followed = sources();
        if (!followed.isEmpty()) {
            following = task;
            followed.forEach(value -> value.follow(task));
        }
    }

    /** Copies what has not been sent: the program may change its arrays afterwards. */
    public synchronized void copyRest() {
        if (!over) {
            List<Block> copies = new ArrayList<>(blocks);
            for (int i = next; i < copies.size(); i++) {
                copies.set(i, copies.get(i).copy());
            }
            blocks = copies;
        }
    }

    /**
     * Waits until all has been taken, for as long as the receiver keeps taking some.
     *
     * @param pauseMillis how long it may take nothing
     * @param mostMillis how long it may take together
     * @return whether all has been taken
     */
    public synchronized boolean awaitTaken(long pauseMillis, long mostMillis) throws InterruptedException {
        long left = mostMillis;
        while (!over && left > 0) {
            long before = taken;
            wait(pauseMillis);
            if (!over && taken == before) {
                return false;
            }
            left -= pauseMillis;
        }
        return over;
    }

    synchronized boolean isOver() {
        return over;
    }

    /**
     * The next chunk, of at most {@code most} bytes, which the caller owns; null at the end and without credit. Event
     * thread only.
     */
    synchronized @Nullable ByteBuf take(ByteBufAllocator allocator, int most) {
        if (over) {
            return null;
        }
        next = skipped.nextClearBit(next);
        if (next >= blocks.size()) {
            isOverNow();
            return null;
        }
        Block block = blocks.get(next);
        int count = (int) Math.min(block.readable() - at, Math.min(most, credit));
        count -= count % block.elementSize();
        if (count == 0) {
            return null;
        }
        boolean ends = at + count == block.bytes();
        boolean isLast = ends && skipped.nextClearBit(next + 1) >= blocks.size();
        place = place % Chunk.PLACES + 1;
        ByteBuf frame = new Chunk(peer, key.id(), key.isOfReply(), isLast, place).begin(allocator, count);
        block.read(at, count, frame);
        Header.finish(frame);
        credit -= count;
        taken += count;
        at = ends ? 0 : at + count;
        next += ends ? 1 : 0;
        if (isLast) {
            isOverNow();
        }
        return frame;
    }
}
