package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;

/**
 * What a REQUEST or REPLY says of large values that are not in it: their bytes follow as {@link Chunk}s, as far as the
 * receiver grants {@link Credit}. Those of group 0 come first, and a REQUEST counts as come when they have; each other group
 * is a value that is used while it arrives.
 *
 * <p>The list stands right behind the argument or result bytes, in front of {@link PendingArgument}s, {@link CallPath} and
 * {@link Lane}:
 *
 * <pre>
 *   header | ... argument or result bytes | (u8 kind | u16 group | u48 bytes)* | u16 count | ...
 *   REQUEST: bit 30 of the method is set; REPLY: flags bit 0
 * </pre>
 *
 * @param kind what it is; a number of the serializer's
 * @param bytes how many bytes follow, at least 1
 * @param group to which value it belongs, 0 for those that come with the message; at most {@value #MOST_GROUPS}
 */
public record Blocks(int kind, long bytes, int group) {

    /** The most of one frame. */
    public static final int MOST = 4096;

    /** The highest group. */
    public static final int MOST_GROUPS = (1 << 15) - 1;

    static final int IN_METHOD = 1 << 30;

    private static final int IN_FLAGS = 1;
    private static final int LENGTH = Byte.BYTES + Long.BYTES;
    private static final int GROUP_AT = 48;
    private static final long BYTES = (1L << GROUP_AT) - 1;

    /** One that comes with the message. */
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

    /** Says whether a complete REQUEST or REPLY, its reader index at the header, has any. */
    public static boolean follow(ByteBuf frame) {
        return Header.kind(frame) == FrameKind.REQUEST
                ? (frame.getInt(frame.readerIndex() + Header.LENGTH) & IN_METHOD) != 0
                : (Header.flags(frame) & IN_FLAGS) != 0;
    }

    /** Puts the list on a REQUEST or REPLY behind its values; it has to be {@linkplain Header#finish finished} again. */
    public static void put(List<Blocks> blocks, ByteBuf frame) {
        if (blocks.isEmpty()) {
            return;
        }
        if (blocks.size() > MOST) {
            throw new IllegalArgumentException("blocks: " + blocks.size() + " (expected: at most " + MOST + ")");
        }
        for (Blocks each : blocks) {
            frame.writeByte(each.kind()).writeLong((long) each.group() << GROUP_AT | each.bytes());
        }
        frame.writeShort(blocks.size());
        mark(frame);
    }

    /** Says on a frame that the list is there. */
    public static void mark(ByteBuf frame) {
        if (Header.kind(frame) == FrameKind.REQUEST) {
            int at = frame.readerIndex() + Header.LENGTH;
            frame.setInt(at, frame.getInt(at) | IN_METHOD);
        } else {
            Header.flags(frame, Header.flags(frame) | IN_FLAGS);
        }
    }

    /**
     * Takes the list off a frame that has one, whose fields have been read and from which what stands behind the list has been
     * taken: what is left to read are the values.
     */
    public static List<Blocks> take(ByteBuf frame) {
        int end = frame.writerIndex();
        int count = frame.readableBytes() < Short.BYTES ? 0 : frame.getUnsignedShort(end - Short.BYTES);
        int begin = end - Short.BYTES - count * LENGTH;
        if (count == 0 || count > MOST || begin < frame.readerIndex()) {
            throw new WireException(ErrorCode.PROTOCOL, "blocks: " + count + " in " + frame.readableBytes() + " bytes");
        }
        List<Blocks> blocks = new ArrayList<>(count);
        long total = 0;
        for (int at = begin; at < end - Short.BYTES; at += LENGTH) {
            long coded = frame.getLong(at + Byte.BYTES);
            long bytes = coded & BYTES;
            total += bytes;
            if (coded < 0 || bytes == 0 || total > BYTES) {
                throw new WireException(
                        ErrorCode.PROTOCOL,
                        "block: " + Long.toHexString(coded) + " (expected: group 0.." + MOST_GROUPS
                                + ", together 1 to 2^48 bytes)");
            }
            blocks.add(new Blocks(frame.getUnsignedByte(at), bytes, (int) (coded >>> GROUP_AT)));
        }
        frame.writerIndex(begin);
        return blocks;
    }

    /** The bytes of all together. */
    public static long total(List<Blocks> blocks) {
        return blocks.stream().mapToLong(Blocks::bytes).sum();
    }
}
