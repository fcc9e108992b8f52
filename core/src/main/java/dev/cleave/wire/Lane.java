package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What binds a call to others of its caller: a server runs the calls of one lane one at a time, in the order in which
 * they come.
 *
 * <p>It travels as flags in the header of a REQUEST and eight bytes behind the arguments:
 *
 * <pre>
 *   header (kind 2, flags) | u32 method | u64 deadline | argument bytes | u64 lane
 *   flags: bit 0 there is a lane, bit 1 it is sticky, bit 2 it is a chain, bit 3 this call is its first,
 *          bit 4 its results may be arguments of later calls
 * </pre>
 *
 * @param id names the lane among those of its caller
 * @param kind what else holds for its calls
 * @param isFirst whether this call opens the lane; a later one in a sticky lane that nobody knows is not executed
 */
public record Lane(long id, Kind kind, boolean isFirst) {

    private static final int PRESENT = 1;
    private static final int STICKY = 2;
    private static final int CHAIN = 4;
    private static final int FIRST = 8;
    private static final int DEPENDENT = 16;

    /** Sorts of lanes. */
    public enum Kind {
        /** Calls of one thread; each goes to any replica, and is in order among those that go there. */
        THREAD,
        /**
         * Calls that all go to one replica until {@link LaneEnd}; behind one that was not executed none is.
         */
        GROUP,
        /** As {@link #GROUP}, and behind the first call that fails none is executed. */
        CHAIN,
        /** As {@link #CHAIN}, and a result may be a {@link PendingArgument} of a later call. */
        DEPENDENT
    }

    /** Checks its components. */
    public Lane {
        requireNonNull(kind, "kind");
    }

    /** Whether all calls go to one replica. */
    public boolean isSticky() {
        return kind != Kind.THREAD;
    }

    /** Whether a failure keeps all later calls from being executed. */
    public boolean isChain() {
        return kind == Kind.CHAIN || kind == Kind.DEPENDENT;
    }

    /** Whether results are kept for later calls. */
    public boolean keepsResults() {
        return kind == Kind.DEPENDENT;
    }

    /** The lane of a complete REQUEST, its reader index at the header; null if there is none. */
    public static @Nullable Lane of(ByteBuf frame) {
        int flags = Header.flags(frame);
        if ((flags & PRESENT) == 0) {
            return null;
        }
        if (frame.readableBytes() < Request.ARGUMENTS_AT + Long.BYTES) {
            throw new WireException(
                    ErrorCode.PROTOCOL, "REQUEST frame of " + frame.readableBytes() + " bytes with a lane");
        }
        return new Lane(frame.getLong(frame.writerIndex() - Long.BYTES), kind(flags), (flags & FIRST) != 0);
    }

    /** Takes the lane off a REQUEST that has been read: what is left to read are the arguments. */
    public static void strip(ByteBuf frame) {
        frame.writerIndex(frame.writerIndex() - Long.BYTES);
    }

    /** Puts the lane on a complete REQUEST, which has to be {@linkplain Header#finish finished} again. */
    public void put(ByteBuf frame) {
        int flags = PRESENT
                | (isSticky() ? STICKY : 0)
                | (isChain() ? CHAIN : 0)
                | (isFirst ? FIRST : 0)
                | (keepsResults() ? DEPENDENT : 0);
        Header.flags(frame, Header.flags(frame) | flags);
        frame.writeLong(id);
    }

    private static Kind kind(int flags) {
        if ((flags & CHAIN) != 0) {
            return (flags & DEPENDENT) != 0 ? Kind.DEPENDENT : Kind.CHAIN;
        }
        return (flags & STICKY) != 0 ? Kind.GROUP : Kind.THREAD;
    }
}
