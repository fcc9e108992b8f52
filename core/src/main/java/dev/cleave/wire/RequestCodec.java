package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the flags and options of a REQUEST; {@link RequestHead} shows the bytes.
 *
 * <p>Each length is checked against the bytes that are there before anything is allocated for it.
 */
final class RequestCodec {

    /** The flag that says that an options block follows the deadline; the other flags are those of {@link RequestOptions}. */
    static final int HAS_BLOCK = 128;

    /**
     * The bytes of the options that are known only when the replica of a call has been chosen: lane, key and earlier
     * call.
     */
    static final int LATE_LENGTH = lengthOfLate();

    private static final int LANE = 1;
    private static final int PATH = 2;
    private static final int PENDING = 3;
    private static final int BLOCKS = 4;
    private static final int KEY = 5;
    private static final int EARLIER = 6;
    private static final int ATTACHMENTS = 7;
    private static final int SHARED = 8;
    private static final int RATING = 9;
    private static final int LAST = RATING;

    private static final int OPTION_HEAD = Byte.BYTES + Short.BYTES;
    private static final int LANE_LENGTH = Byte.BYTES + Long.BYTES;
    private static final int PENDING_LENGTH = 2 * Integer.BYTES + 2 * Short.BYTES;
    private static final int SHARED_HEAD = 2 * Long.BYTES + Short.BYTES;
    private static final int FIRST = 4; // this bit in the byte of a lane is added to the number of its kind
    private static final Lane.Kind[] KINDS = Lane.Kind.values();

    private RequestCodec() {}

    private static int lengthOfLate() {
        return Short.BYTES + OPTION_HEAD + LANE_LENGTH + 2 * (OPTION_HEAD + Long.BYTES);
    }

    /** The bytes of the options block; 0 if there are only flags. */
    static int length(RequestOptions options) {
        if (options.areFlagsOnly()) {
            return 0;
        }
        return Short.BYTES
                + (options.lane() == null ? 0 : OPTION_HEAD + LANE_LENGTH)
                + lengthOfList(options.path().size(), Long.BYTES)
                + lengthOfList(options.pending().size(), PENDING_LENGTH)
                + lengthOfList(options.blocks().size(), Blocks.LENGTH)
                + (options.key() == null ? 0 : OPTION_HEAD + Long.BYTES)
                + (options.earlier() == null ? 0 : OPTION_HEAD + Long.BYTES)
                + (options.attachments().isEmpty()
                        ? 0
                        : OPTION_HEAD + options.attachments().length())
                + (options.shared().isEmpty() ? 0 : OPTION_HEAD + lengthOf(options.shared()))
                + (options.rating() == null ? 0 : OPTION_HEAD + Rating.LENGTH);
    }

    private static int lengthOf(List<SharedLane> lanes) {
        return lanes.stream()
                .mapToInt(lane -> SHARED_HEAD + lane.endpoint().getBytes(StandardCharsets.UTF_8).length)
                .sum();
    }

    private static int lengthOfList(int count, int each) {
        return count == 0 ? 0 : OPTION_HEAD + count * each;
    }

    /** The flags of a header. */
    static int flags(RequestOptions options) {
        return options.areFlagsOnly() ? options.flags() : options.flags() | HAS_BLOCK;
    }

    /** Writes the options block at the writer index; writes nothing if there are only flags. */
    static void writeBlock(RequestOptions options, ByteBuf out) {
        int length = length(options);
        if (length == 0) {
            return;
        }
        out.writeShort(length - Short.BYTES);
        Lane lane = options.lane();
        if (lane != null) {
            begin(out, LANE, LANE_LENGTH);
            out.writeByte(lane.kind().ordinal() | (lane.isFirst() ? FIRST : 0)).writeLong(lane.id());
        }
        if (!options.path().isEmpty()) {
            begin(out, PATH, options.path().size() * Long.BYTES);
            options.path().write(out);
        }
        if (!options.pending().isEmpty()) {
            begin(out, PENDING, options.pending().size() * PENDING_LENGTH);
            options.pending().forEach(each -> out.writeInt(each.call())
                    .writeInt(each.at())
                    .writeShort(each.parameter())
                    .writeShort(each.lane()));
        }
        if (!options.blocks().isEmpty()) {
            begin(out, BLOCKS, options.blocks().size() * Blocks.LENGTH);
            options.blocks().forEach(each -> each.write(out));
        }
        writeNumber(out, KEY, options.key());
        writeNumber(out, EARLIER, options.earlier());
        if (!options.attachments().isEmpty()) {
            begin(out, ATTACHMENTS, options.attachments().length());
            options.attachments().write(out);
        }
        if (!options.shared().isEmpty()) {
            begin(out, SHARED, lengthOf(options.shared()));
            for (SharedLane from : options.shared()) {
                byte[] endpoint = from.endpoint().getBytes(StandardCharsets.UTF_8);
                out.writeLong(from.high()).writeLong(from.low());
                out.writeShort(endpoint.length).writeBytes(endpoint);
            }
        }
        Rating rating = options.rating();
        if (rating != null) {
            begin(out, RATING, Rating.LENGTH);
            out.writeDouble(rating.value()).writeInt(rating.expression()).writeBoolean(rating.prefersBlocked());
        }
    }

    private static void begin(ByteBuf out, int option, int length) {
        out.writeByte(option).writeShort(length);
    }

    private static void writeNumber(ByteBuf out, int option, @Nullable Long number) {
        if (number != null) {
            begin(out, option, Long.BYTES);
            out.writeLong(number);
        }
    }

    /** Reads the options between the deadline and the arguments, and leaves the reader index at the arguments. */
    static RequestOptions read(int flags, ByteBuf frame) {
        if ((flags & HAS_BLOCK) == 0) {
            return RequestOptions.of(flags & RequestOptions.FLAGS);
        }
        int length = frame.readableBytes() < Short.BYTES ? 0 : frame.readUnsignedShort();
        if (length == 0 || length > frame.readableBytes()) {
            throw broken("options of " + length + " bytes (expected: 1.." + frame.readableBytes() + ")");
        }
        int end = frame.readerIndex() + length;
        Lane lane = null;
        CallPath path = CallPath.NONE;
        List<PendingArgument> pending = List.of();
        List<Blocks> blocks = List.of();
        Long key = null;
        Long earlier = null;
        List<SharedLane> shared = List.of();
        Rating rating = null;
        Attachments attachments = Attachments.NONE;
        for (int last = 0; frame.readerIndex() < end; ) {
            int left = end - frame.readerIndex() - OPTION_HEAD;
            int option = left < 0 ? 0 : frame.readUnsignedByte();
            int bytes = left < 0 ? 0 : frame.readUnsignedShort();
            if (option <= last || option > LAST || bytes > left) {
                throw broken("option " + option + " of " + bytes + " bytes behind option " + last
                        + " (expected: ascending, 1.." + LAST + ", at most " + left + " bytes)");
            }
            last = option;
            switch (option) {
                case LANE -> lane = lane(frame, bytes);
                case PATH -> path = CallPath.read(frame, count(option, bytes, Long.BYTES, CallPath.MOST));
                case PENDING -> {
                    int count = count(option, bytes, PENDING_LENGTH, PendingArgument.MOST);
                    pending = pending(frame, count, frame.writerIndex() - end);
                }
                case BLOCKS -> blocks = Blocks.read(frame, count(option, bytes, Blocks.LENGTH, Blocks.MOST));
                case KEY -> key = number(frame, option, bytes);
                case EARLIER -> earlier = number(frame, option, bytes);
                case ATTACHMENTS -> attachments = Attachments.read(frame, bytes);
                case SHARED -> shared = shared(frame, bytes);
                default -> rating = rating(frame, bytes);
            }
        }
        int known = flags & RequestOptions.FLAGS;
        if (lane != null && (known & (RequestOptions.MOVABLE | RequestOptions.MOVED)) != 0) {
            throw broken("flags " + known + " in a lane (expected: no call that moves)");
        }
        if (!pending.isEmpty() && (lane == null || !lane.keepsResults())) {
            throw broken("pending arguments in a lane without results");
        }
        for (PendingArgument each : pending) {
            if (each.lane() > shared.size()) {
                throw broken(
                        "pending argument of shared lane " + each.lane() + " (expected: 0.." + shared.size() + ")");
            }
        }
        return new RequestOptions(known, lane, path, pending, blocks, key, earlier, attachments, shared, rating);
    }

    private static Lane lane(ByteBuf frame, int bytes) {
        count(LANE, bytes, LANE_LENGTH, 1);
        int said = frame.readUnsignedByte();
        int kind = said & ~FIRST;
        if (kind >= KINDS.length) {
            throw broken("lane of kind " + kind + " (expected: 0.." + (KINDS.length - 1) + ")");
        }
        return new Lane(frame.readLong(), KINDS[kind], (said & FIRST) != 0);
    }

    private static List<PendingArgument> pending(ByteBuf frame, int count, int argumentBytes) {
        List<PendingArgument> pending = new ArrayList<>(count);
        int last = 0;
        for (int i = 0; i < count; i++) {
            int call = frame.readInt();
            int at = frame.readInt();
            int parameter = frame.readUnsignedShort();
            int lane = frame.readUnsignedShort();
            if (call < 0 || at < last || at > argumentBytes || lane > SharedLane.MOST) {
                throw broken("pending argument: call " + call + " at " + at + " of lane " + lane + " (expected: at "
                        + last + ".." + argumentBytes + ", lane 0.." + SharedLane.MOST + ")");
            }
            last = at;
            pending.add(new PendingArgument(call, at, parameter, lane));
        }
        return pending;
    }

    private static List<SharedLane> shared(ByteBuf frame, int bytes) {
        List<SharedLane> lanes = new ArrayList<>();
        int end = frame.readerIndex() + bytes;
        while (frame.readerIndex() < end || lanes.isEmpty()) {
            int left = end - frame.readerIndex() - SHARED_HEAD;
            long high = left < 0 ? 0 : frame.readLong();
            long low = left < 0 ? 0 : frame.readLong();
            int length = left < 0 ? 0 : frame.readUnsignedShort();
            if (length == 0 || length > Math.min(left, SharedLane.MOST_BYTES) || lanes.size() == SharedLane.MOST) {
                throw broken("shared lane " + (lanes.size() + 1) + " with an endpoint of " + length
                        + " bytes (expected: at most " + SharedLane.MOST + " lanes, 1.." + SharedLane.MOST_BYTES
                        + " bytes)");
            }
            lanes.add(new SharedLane(
                    high,
                    low,
                    frame.readCharSequence(length, StandardCharsets.UTF_8).toString()));
        }
        return lanes;
    }

    private static Rating rating(ByteBuf frame, int bytes) {
        count(RATING, bytes, Rating.LENGTH, 1);
        return new Rating(frame.readDouble(), frame.readInt(), frame.readBoolean());
    }

    private static long number(ByteBuf frame, int option, int bytes) {
        count(option, bytes, Long.BYTES, 1);
        return frame.readLong();
    }

    /** The number of elements of equal length in an option. */
    private static int count(int option, int bytes, int each, int most) {
        if (bytes == 0 || bytes % each != 0 || bytes / each > most) {
            throw broken("option " + option + " of " + bytes + " bytes (expected: 1.." + most + " times " + each + ")");
        }
        return bytes / each;
    }

    private static WireException broken(String what) {
        return new WireException(ErrorCode.PROTOCOL, "REQUEST frame: " + what);
    }
}
