package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.OptionalInt;

/**
 * HELLO, the first frame of both sides.
 *
 * <pre>
 *   header (kind 1) | u32 'CLVE' | u16 minVersion | u16 maxVersion | u64 features | string node | u64 incarnation
 *   | u32 checksum of all before
 * </pre>
 *
 * <p>A peer without the feature of {@link Checked} sends no checksum. Further bytes, before the checksum, belong to later
 * versions and are ignored. At most {@value Header#HELLO_LIMIT} bytes.
 *
 * @param minVersion the oldest protocol version spoken
 * @param maxVersion the newest protocol version spoken
 * @param features bits of features, each used if both sides set it; unknown bits are ignored
 * @param node the name of the process, for messages
 * @param incarnation differs between two runs of the same node
 */
public record Hello(int minVersion, int maxVersion, long features, String node, long incarnation) implements Frame {

    /** The oldest version that this code speaks; version 1 had the options of a REQUEST after its arguments. */
    public static final int MIN_VERSION = 2;

    /** The newest version that this code speaks. */
    public static final int MAX_VERSION = 2;

    // The bits of single kinds of frames are in FrameKind.

    /** The feature of a broker that finds replicas by the {@linkplain RequestOptions#key key} of a call. */
    public static final long KEYS = 2;

    /** The feature of taking {@link Blocks}. */
    public static final long BLOCKS = 4;

    /**
     * The feature of taking the first {@link #FIRST_CREDIT} bytes of {@link Blocks} without credit; relays do not have
     * it.
     */
    public static final long CREDIT_IN_ADVANCE = 8;

    /**
     * The number of bytes of {@link Blocks} that may follow their frame without credit if both sides have
     * {@link #CREDIT_IN_ADVANCE}.
     */
    public static final int FIRST_CREDIT = 256 << 10;

    /** The feature of waiting calls that can move to other replicas ({@link LoadWatch}). */
    public static final long MIGRATES = 16;

    /**
     * The feature of remembering the outcomes of calls until they are {@link Settled}, for callers that {@link Recall}
     * them. The bit 32 belonged to an earlier form that counted connections, so that any peer could ask.
     */
    public static final long REMEMBERS = 1024;

    /** The feature of values that are used while they arrive: groups of {@link Blocks}. */
    public static final long LATER = 256;

    /** The feature of a broker that sends a call to another replica than an {@linkplain RequestOptions#earlier earlier} one. */
    public static final long HEDGES = 512;

    /** The feature of calls with {@link Attachments}; a peer without it gets them without. */
    public static final long ATTACHMENTS = 2048;

    /** The feature of calls with a {@link Rating}; a peer without it gets them without. */
    public static final long RATINGS = 1L << 33;

    /** The feature of a server that refuses a {@link CallClaim} of an older fence; a peer without it gets claims without fence. */
    public static final long FENCES = 1L << 35;

    /** The feature of a server that ends the {@link Lane} of a refused call of an object; others get such calls without lane. */
    public static final long OBJECT_LANES = 1L << 37;

    /** The feature of a lane that has several keys ({@link LaneShare}), one for each server that fetches its results. */
    public static final long LANE_KEYS = 1L << 38;

    /** The feature of {@link Same} blocks, which are not sent again; relays do not have it. */
    public static final long SAME_BLOCKS = 1L << 40;

    /** The feature of calls with a {@linkplain PendingArgument#isGuard guard}; a peer without it does not execute them. */
    public static final long LANE_GUARDS = 1L << 41;

    /** The wish for {@link Checked} frames, which both sides fulfil if both can and one has it. */
    public static final long WANTS_CHECKS = 1 << 22;

    private static final long FEATURES = FrameKind.features()
            | KEYS
            | BLOCKS
            | MIGRATES
            | REMEMBERS
            | LATER
            | HEDGES
            | ATTACHMENTS
            | RATINGS
            | FENCES
            | OBJECT_LANES
            | LANE_KEYS
            | LANE_GUARDS;

    private static final int MAGIC = 'C' << 24 | 'L' << 16 | 'V' << 8 | 'E';

    /** Checks its components. */
    public Hello {
        requireNonNull(node, "node");
        if (minVersion < 0 || maxVersion > 0xffff || minVersion > maxVersion) {
            throw new IllegalArgumentException(
                    "versions: " + minVersion + ".." + maxVersion + " (expected: a range in 0..65535)");
        }
    }

    /** Creates the HELLO of this code. */
    public static Hello of(String node, long incarnation) {
        return new Hello(MIN_VERSION, MAX_VERSION, FEATURES | CREDIT_IN_ADVANCE | SAME_BLOCKS, node, incarnation);
    }

    /** Creates the HELLO of a relay of this code. */
    public static Hello ofRelay(String node, long incarnation) {
        return new Hello(MIN_VERSION, MAX_VERSION, FEATURES, node, incarnation);
    }

    /** Creates the HELLO of a broker that dials another one: it takes nothing but {@link Forward} and {@link Loads}. */
    public static Hello ofBroker(String node, long incarnation) {
        long features = FrameKind.FORWARD.feature() | FrameKind.LOAD_ASK.feature() | FrameKind.CHECKED.feature();
        return new Hello(MIN_VERSION, MAX_VERSION, features, node, incarnation);
    }

    /** This HELLO of a side that wants {@link Checked} frames. */
    public Hello wantingChecks() {
        return new Hello(minVersion, maxVersion, features | WANTS_CHECKS, node, incarnation);
    }

    /** Whether this side and another send {@link Checked} frames. */
    public boolean agreesOnChecks(Hello other) {
        return canCheck() && other.canCheck() && ((features | other.features) & WANTS_CHECKS) != 0;
    }

    private boolean canCheck() {
        return (features & FrameKind.CHECKED.feature()) != 0;
    }

    /** Reads a frame. */
    public static Hello read(ByteBuf frame) {
        int begin = frame.readerIndex();
        int end = frame.writerIndex() - Checksum.LENGTH;
        FrameReader in = FrameReader.open(frame, FrameKind.HELLO);
        int magic = in.bits32();
        if (magic != MAGIC) {
            throw new WireException(
                    ErrorCode.PROTOCOL, "magic: " + Integer.toHexString(magic) + " (expected: 434c5645, 'CLVE')");
        }
        int minVersion = in.u16();
        int maxVersion = in.u16();
        if (minVersion > maxVersion) {
            throw new WireException(
                    ErrorCode.PROTOCOL,
                    "versions: " + minVersion + ".." + maxVersion + " (expected: an ascending range)");
        }
        Hello hello = new Hello(minVersion, maxVersion, in.bits64(), in.string(), in.bits64());
        if (!Names.isPlain(hello.node())) {
            throw new WireException(
                    ErrorCode.PROTOCOL,
                    "node: " + Names.shown(hello.node()) + " (expected: at most " + Names.MOST
                            + " characters without control characters)");
        }
        if (hello.canCheck()) {
            if (frame.readerIndex() > end) {
                throw new WireException(ErrorCode.PROTOCOL, "HELLO without checksum");
            }
            Checksum.check(frame.getInt(end), frame, begin, end - begin);
        }
        frame.skipBytes(frame.readableBytes());
        return hello;
    }

    /** The version that two peers speak with each other: the newest that both know. */
    public OptionalInt commonVersion(Hello other) {
        int version = Math.min(maxVersion, other.maxVersion);
        boolean spoken = version >= minVersion && version >= other.minVersion;
        return spoken ? OptionalInt.of(version) : OptionalInt.empty();
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        boolean checked = canCheck();
        ByteBuf frame = FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.HELLO, 0, 0), out -> {
            out.bits32(MAGIC)
                    .u16(minVersion)
                    .u16(maxVersion)
                    .bits64(features)
                    .string(node)
                    .bits64(incarnation);
            if (checked) {
                out.bits32(0);
            }
        });
        if (!checked) {
            return frame;
        }
        int end = frame.writerIndex() - Checksum.LENGTH;
        return frame.setInt(end, Checksum.of(frame, frame.readerIndex(), end - frame.readerIndex()));
    }
}
