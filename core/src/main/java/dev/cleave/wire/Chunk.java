package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * CHUNK: bytes of one of the {@link Blocks} of a REQUEST or REPLY, in their order, in whole elements, little endian.
 *
 * <pre>
 *   header (kind 5, peer, flags, id = call) | bytes to the end
 *   flags: bit 0 of a reply, bit 1 no chunk follows, bits 2 to 7 place
 * </pre>
 *
 * <p>{@link #begin} leaves the frame open for the bytes, {@link Header#finish} completes it; {@link #read} leaves the reader
 * index at them. At most {@value #MOST_BYTES} bytes. If bytes are missing after the last chunk, the sender has given
 * up.
 *
 * @param peer the relayed client or server, or 0
 * @param id the call
 * @param isOfReply whether the bytes belong to the REPLY of the call, or to its REQUEST
 * @param isLast whether no chunk follows
 * @param place of the chunk among the chunks of its message: 1 to {@value #PLACES}, then again from 1; 0 if not given
 */
public record Chunk(int peer, long id, boolean isOfReply, boolean isLast, int place) implements Frame {

    /** The most bytes of one chunk. */
    public static final int MOST_BYTES = Header.CHUNK_LIMIT - Header.LENGTH;

    private static final int OF_REPLY = 1;
    private static final int LAST = 2;
    private static final int PLACE_SHIFT = 2;

    /** The number of consecutive chunks of a message with different places. */
    public static final int PLACES = 63;

    /** Checks its components. */
    public Chunk {
        Header.checkPeer(peer);
        if (place < 0 || place > PLACES) {
            throw new IllegalArgumentException("place: " + place + " (expected: 0.." + PLACES + ")");
        }
    }

    /** Creates a chunk without a place. */
    public Chunk(int peer, long id, boolean isOfReply, boolean isLast) {
        this(peer, id, isOfReply, isLast, 0);
    }

    /** Reads the fields of a frame; its reader index is at the bytes afterwards. */
    public static Chunk read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.CHUNK);
        int flags = Header.flags(frame.readerIndex(frame.readerIndex() - Header.LENGTH));
        frame.skipBytes(Header.LENGTH);
        return new Chunk(in.peer(), in.id(), (flags & OF_REPLY) != 0, (flags & LAST) != 0, flags >> PLACE_SHIFT);
    }

    /** Begins a frame without its bytes and its length; the caller owns it. */
    public ByteBuf begin(ByteBufAllocator allocator, int bytes) {
        ByteBuf frame = allocator.buffer(Header.LENGTH + bytes);
        Header.begin(frame, FrameKind.CHUNK, peer, id);
        Header.flags(frame, (isOfReply ? OF_REPLY : 0) | (isLast ? LAST : 0) | place << PLACE_SHIFT);
        return frame;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf frame = begin(allocator, 0);
        Header.finish(frame);
        return frame;
    }
}
