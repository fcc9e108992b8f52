package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * Announces in a REQUEST or REPLY the large values that are not in it: their bytes follow as {@link Chunk}s, as far as
 * the receiver grants {@link Credit}. Blocks of group 0 follow first, and a REQUEST has arrived when they have; each
 * other group is a value that is used while it arrives.
 *
 * <p>A REQUEST has the list among its {@link RequestOptions}; in a REPLY it stands behind the result bytes:
 *
 * <pre>
 *   header (flags bit 0) | result bytes | (u8 kind | u16 group | u48 bytes)* | u16 count
 * </pre>
 *
 * @param kind the kind of the value; a number of the serializer
 * @param bytes the number of bytes that follow, at least 1
 * @param group the value that it belongs to, 0 for blocks that arrive with the message; at most {@value #MOST_GROUPS}
 */
public record Blocks(int kind, long bytes, int group) {

    /** The most blocks of one frame. */
    public static final int MOST = 4096;

    /** The highest group. */
    public static final int MOST_GROUPS = (1 << 15) - 1;

    /** The bytes of one entry in a frame. */
    static final int LENGTH = Byte.BYTES + Long.BYTES;

    private static final int FOLLOW = 1;
    private static final int GROUP_AT = 48;
    private static final long BYTES = (1L << GROUP_AT) - 1;

    /** Creates a block that arrives with the message. */
    public Blocks(int kind, long bytes) {
        this(kind, bytes, 0);
    }

    /** Checks its components. */
    public Blocks {
        if (kind < 0 || kind > 0xff || bytes <= 0 || bytes > BYTES) {
            throw new IllegalArgumentException(
                    "kind, bytes: " + kind + ", " + bytes + " (expected: 0..255, 1 to 2^48)");
        }
        if (group < 0 || group > MOST_GROUPS) {
            throw new IllegalArgumentException("group: " + group + " (expected: 0.." + MOST_GROUPS + ")");
        }
    }

    /** Says whether a complete REPLY, its reader index at the header, has blocks. */
    public static boolean follow(ByteBuf reply) {
        return (Header.flags(reply) & FOLLOW) != 0;
    }

    /** Appends the list to the result of a REPLY, which must be {@linkplain Header#finish finished} again. */
    public static void put(List<Blocks> blocks, ByteBuf reply) {
        if (blocks.isEmpty()) {
            return;
        }
        if (blocks.size() > MOST) {
            throw new IllegalArgumentException("blocks: " + blocks.size() + " (expected: at most " + MOST + ")");
        }
        blocks.forEach(each -> each.write(reply));
        reply.writeShort(blocks.size());
        Header.flags(reply, Header.flags(reply) | FOLLOW);
    }

    /** Removes the list from a REPLY that has one, and whose fields have been read: the result is left to read. */
    public static List<Blocks> take(ByteBuf reply) {
        int end = reply.writerIndex();
        int count = reply.readableBytes() < Short.BYTES ? 0 : reply.getUnsignedShort(end - Short.BYTES);
        int begin = end - Short.BYTES - count * LENGTH;
        if (count == 0 || count > MOST || begin < reply.readerIndex()) {
            throw new WireException(ErrorCode.PROTOCOL, "blocks: " + count + " in " + reply.readableBytes() + " bytes");
        }
        int result = reply.readerIndex();
        List<Blocks> blocks = read(reply.readerIndex(begin), count);
        reply.setIndex(result, begin);
        return blocks;
    }

    /** Writes one entry. */
    void write(ByteBuf out) {
        out.writeByte(kind).writeLong((long) group << GROUP_AT | bytes);
    }

    /** Reads {@code count} entries, whose bytes are there. */
    static List<Blocks> read(ByteBuf frame, int count) {
        List<Blocks> blocks = new ArrayList<>(count);
        long total = 0;
        for (int i = 0; i < count; i++) {
            int kind = frame.readUnsignedByte();
            long coded = frame.readLong();
            long bytes = coded & BYTES;
            total += bytes;
            if (coded < 0 || bytes == 0 || total > BYTES) {
                throw new WireException(
                        ErrorCode.PROTOCOL,
                        "block: " + Long.toHexString(coded) + " (expected: group 0.." + MOST_GROUPS
                                + ", together 1 to 2^48 bytes)");
            }
            blocks.add(new Blocks(kind, bytes, (int) (coded >>> GROUP_AT)));
        }
        return blocks;
    }

    /** The sum of the bytes of all blocks. */
    public static long total(List<Blocks> blocks) {
        return blocks.stream().mapToLong(Blocks::bytes).sum();
    }
}
