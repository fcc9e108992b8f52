package dev.cleave.stream;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.wire.Same;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The large arguments that one connection has brought more than once, by their contents: they are not sent again. Their bytes are
 * bounded for all connections of a node together; the one that was used least lately goes first. Thread-safe.
 */
final class KeptBlocks {

    /** The bytes of one piece of a block. */
    static final int PIECE = 1 << 20;

    private final ReceiveBudget budget;

    @GuardedBy("this")
    private final Map<Same.Contents, Bytes> kept = new LinkedHashMap<>(16, 0.75f, true);

    @GuardedBy("this")
    private boolean closed;

    /** The bytes of a block, in pieces. */
    private static final class Bytes {

        private final long length;
        private final byte[][] pieces;

        Bytes(long length) {
            this.length = length;
            pieces = new byte[(int) ((length + PIECE - 1) / PIECE)][];
        }

        private ByteBuf at(long from, long most) {
            int begin = (int) (from % PIECE);
            int count = (int) Math.min(Math.min(most, PIECE - begin), length - from);
            return Unpooled.wrappedBuffer(pieces[(int) (from / PIECE)], begin, count);
        }

        private void add(long from, ByteBuf bytes) {
            int taken = bytes.readerIndex();
            for (long at = from; taken < bytes.writerIndex(); ) {
                int piece = (int) (at / PIECE);
                if (pieces[piece] == null) {
                    pieces[piece] = new byte[(int) Math.min(PIECE, length - (long) piece * PIECE)];
                }
                int begin = (int) (at % PIECE);
                int count = Math.min(bytes.writerIndex() - taken, pieces[piece].length - begin);
                bytes.getBytes(taken, pieces[piece], begin, count);
                taken += count;
                at += count;
            }
        }
    }

    /** The named blocks of one message: those that are here, and those that are kept when they have come. Of the event thread. */
    final class OfMessage {

        private final Map<Integer, Bytes> known = new HashMap<>(); // by index
        private final Map<Integer, Coming> coming = new ConcurrentHashMap<>();

        private OfMessage() {}

        /** Part of a block from one of its bytes on; null if the block is not here. */
        @Nullable
        ByteBuf part(int index, long from, long most) {
            Bytes bytes = known.get(index);
            return bytes == null || most <= 0 ? null : bytes.at(from, most);
        }

        boolean has(int index) {
            return known.containsKey(index);
        }

        /** Bytes of a block have come; keeps them when it is whole, if they are what its sender has said. */
        void came(int index, long from, ByteBuf bytes) {
            Coming block = coming.get(index);
            if (block != null) {
                block.digest.update(bytes.nioBuffer());
                block.bytes.add(from, bytes);
                if (from + bytes.readableBytes() == block.bytes.length && coming.remove(index) != null) {
                    keep(block);
                }
            }
        }

        /** Keeps nothing more: the message has been closed. On any thread. */
        void close() {
            coming.keySet().forEach(index -> {
                Coming block = coming.remove(index);
                if (block != null) {
                    budget.kept(-block.bytes.length);
                }
            });
        }
    }

    private record Coming(Same.Contents contents, Bytes bytes, MessageDigest digest) {}

    KeptBlocks(ReceiveBudget budget) {
        this.budget = budget;
    }

    /** Finds the blocks of a message that its sender has named. */
    OfMessage find(Same said, List<Block> blocks) {
        OfMessage found = new OfMessage();
        for (Same.Entry each : said.blocks()) {
            Block block = each.index() < blocks.size() ? blocks.get(each.index()) : null;
            if (block == null || block.isStreamed()) {
                continue;
            }
            Bytes here = get(each.contents());
            if (here != null && here.length == block.bytes()) {
                found.known.put(each.index(), here);
            } else if (here == null && makeRoom(block.bytes())) {
                found.coming.put(each.index(), new Coming(each.contents(), new Bytes(block.bytes()), sha()));
            }
        }
        return found;
    }

    private synchronized @Nullable Bytes get(Same.Contents contents) {
        return kept.get(contents);
    }

    private synchronized boolean makeRoom(long bytes) {
        Iterator<Bytes> oldest = kept.values().iterator();
        while (!closed) {
            if (budget.kept(bytes)) {
                return true;
            }
            if (!oldest.hasNext()) {
                return false;
            }
            budget.kept(-oldest.next().length);
            oldest.remove();
        }
        return false;
    }

    private synchronized void keep(Coming block) {
        boolean isSaid = contents(block.digest).equals(block.contents);
        if (closed || !isSaid || kept.putIfAbsent(block.contents, block.bytes) != null) {
            budget.kept(-block.bytes.length);
        }
    }

    /** Drops all: the connection is gone. */
    synchronized void close() {
        closed = true;
        kept.values().forEach(each -> budget.kept(-each.length));
        kept.clear();
    }

    /** The contents of a block. */
    static Same.Contents contents(Block block) {
        MessageDigest digest = sha();
        ByteBuf part = Unpooled.buffer(Block.LEAST);
        for (long at = 0; at < block.bytes(); at += part.readableBytes()) {
            part.clear();
            block.read(at, (int) Math.min(Block.LEAST, block.bytes() - at), part);
            digest.update(part.array(), part.arrayOffset(), part.readableBytes());
        }
        return contents(digest);
    }

    private static Same.Contents contents(MessageDigest digest) {
        ByteBuffer bytes = ByteBuffer.wrap(digest.digest());
        return new Same.Contents(bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getLong());
    }

    private static MessageDigest sha() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) { // each JDK has it
            throw new IllegalStateException(e);
        }
    }
}
