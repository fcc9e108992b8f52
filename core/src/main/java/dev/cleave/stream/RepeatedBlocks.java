package dev.cleave.stream;

import dev.cleave.wire.Same;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The large arguments that were sent last: the contents of those alone are compared that are the same array, or look like the same
 * objects, and have not changed in a few places. What was found changed twice in a row is compared no more. Thread-safe.
 */
public final class RepeatedBlocks {

    /** How many are remembered. */
    static final int MOST = 32;

    private static final int SAMPLE = 512; // bytes
    private static final int MOST_CHANGES = 2;
    private static final AtomicReferenceArray<@Nullable Seen> LAST = new AtomicReferenceArray<>(MOST);
    private static final AtomicInteger NEXT = new AtomicInteger();

    /** An argument that has been sent. */
    private static final class Seen {

        private final @Nullable WeakReference<Object> array; // null for objects
        private volatile long sample;
        private volatile Same.@Nullable Contents contents;
        private volatile int changes; // in a row

        private Seen(@Nullable Object array, long sample) {
            this.array = array == null ? null : new WeakReference<>(array);
            this.sample = sample;
        }

        private boolean isOf(@Nullable Object other, long looks) {
            return array == null ? other == null && sample == looks : other != null && array.refersTo(other);
        }

        /** Its contents now. */
        private Same.Contents contents(Block block) {
            Same.Contents now = KeptBlocks.contents(block);
            Same.Contents before = contents;
            contents = now;
            changes = before == null || before.equals(now) ? 0 : changes + 1;
            return now;
        }
    }

    private final @Nullable Seen[] seen; // by block; null for those that are not compared

    private RepeatedBlocks(@Nullable Seen[] seen) {
        this.seen = seen;
    }

    /** Remembers the arguments of a call, whose blocks have the arrays of the program. */
    public static RepeatedBlocks of(List<Block> blocks) {
        @Nullable Seen[] seen = new Seen[blocks.size()];
        for (int i = 0; i < seen.length; i++) {
            seen[i] = find(blocks.get(i));
        }
        return new RepeatedBlocks(seen);
    }

    /** Names those that their receiver may have, by their contents in these blocks or copies of them. */
    public List<Same.Entry> named(List<Block> blocks) {
        List<Same.Entry> named = new ArrayList<>(0);
        for (int i = 0; i < seen.length && named.size() < Same.MOST; i++) {
            Seen before = seen[i];
            if (before != null) {
                named.add(new Same.Entry(i, before.contents(blocks.get(i))));
            }
        }
        return named;
    }

    private static @Nullable Seen find(Block block) {
        if (block.isStreamed() || block.bytes() < Block.LEAST || block.readable() < block.bytes()) {
            return null;
        }
        Object whole = block.isObjects() ? null : block.array();
        Object array = whole instanceof Object[] rows && rows.length > 0 ? rows[0] : whole;
        long looks = sample(block);
        for (int i = 0; i < MOST; i++) {
            Seen known = LAST.get(i);
            if (known != null && known.isOf(array, looks)) {
                boolean isSame = known.sample == looks && known.changes < MOST_CHANGES;
                known.sample = looks;
                return isSame ? known : null;
            }
        }
        LAST.set(Math.floorMod(NEXT.getAndIncrement(), MOST), new Seen(array, looks));
        return null;
    }

    private static long sample(Block block) {
        long bytes = block.bytes();
        ByteBuf part = Unpooled.buffer(SAMPLE);
        long looks = bytes * 31 + block.kind();
        for (long at : new long[] {0, bytes / 2, bytes - SAMPLE}) {
            part.clear();
            block.read(at - at % Long.BYTES, SAMPLE, part);
            while (part.isReadable(Long.BYTES)) {
                looks = looks * 31 + part.readLong();
            }
        }
        return looks;
    }
}
