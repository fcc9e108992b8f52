package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the {@linkplain RequestHead head} of a REQUEST says besides the call, its method and its deadline. Immutable.
 *
 * @param flags some of {@link #AWAITED}, {@link #MOVABLE} and {@link #MOVED}; the last two only without a lane
 * @param lane what orders the call among others of its caller; null if nothing does
 * @param path the calls that wait for this call
 * @param pending arguments that are results of earlier calls of the lane, which is {@link Lane.Kind#DEPENDENT}; at most
 *     {@link PendingArgument#MOST}
 * @param blocks large arguments, which follow the frame, at most {@link Blocks#MOST}
 * @param key equal for calls that a broker sends to one replica; null if the call has no key. From a client to its broker only, and
 *     only with the feature {@link Hello#KEYS}
 * @param earlier the number of a call of the same client, whose replica the broker does not choose for this call; null if any
 *     replica will do. From a client to its broker only, and only with the feature {@link Hello#HEDGES}
 */
public record RequestOptions(
        int flags,
        @Nullable Lane lane,
        CallPath path,
        List<PendingArgument> pending,
        List<Blocks> blocks,
        @Nullable Long key,
        @Nullable Long earlier) {

    /** The caller waits from the beginning. */
    public static final int AWAITED = 1;

    /** The sender keeps what it needs to send the call to another replica: a server may answer {@link Moved}. */
    public static final int MOVABLE = 2;

    /** The call has moved from another replica. */
    public static final int MOVED = 4;

    /** All flags of this record. */
    static final int FLAGS = AWAITED | MOVABLE | MOVED;

    private static final RequestOptions[] WITH_FLAGS_ONLY = new RequestOptions[FLAGS + 1];

    static {
        for (int flags = 0; flags <= FLAGS; flags++) {
            WITH_FLAGS_ONLY[flags] = new RequestOptions(flags, null, CallPath.NONE, List.of(), List.of(), null, null);
        }
    }

    /** Those of most calls: none. */
    public static final RequestOptions NONE = of(0);

    /** Checks its components. */
    public RequestOptions {
        requireNonNull(path, "path");
        pending = List.copyOf(pending);
        blocks = List.copyOf(blocks);
        if ((flags & ~FLAGS) != 0 || lane != null && (flags & (MOVABLE | MOVED)) != 0) {
            throw new IllegalArgumentException(
                    "flags: " + flags + " (expected: 0.." + FLAGS + ", and in a lane neither of MOVABLE and MOVED)");
        }
        if (pending.size() > PendingArgument.MOST) {
            throw new IllegalArgumentException(
                    "pending arguments: " + pending.size() + " (expected: at most " + PendingArgument.MOST + ")");
        }
        if (blocks.size() > Blocks.MOST) {
            throw new IllegalArgumentException("blocks: " + blocks.size() + " (expected: at most " + Blocks.MOST + ")");
        }
    }

    /** Flags and nothing else; creates no object. */
    public static RequestOptions of(int flags) {
        return WITH_FLAGS_ONLY[flags];
    }

    /** Whether there is nothing but flags: the head is as short as it can be. */
    public boolean areFlagsOnly() {
        return this == WITH_FLAGS_ONLY[flags]
                || lane == null
                        && path.isEmpty()
                        && pending.isEmpty()
                        && blocks.isEmpty()
                        && key == null
                        && earlier == null;
    }

    /** Whether the caller waits from the beginning. */
    public boolean isAwaited() {
        return (flags & AWAITED) != 0;
    }

    /** Whether the call may be moved to another replica. */
    public boolean isMovable() {
        return (flags & MOVABLE) != 0;
    }

    /** Whether the call has moved from another replica. */
    public boolean hasMoved() {
        return (flags & MOVED) != 0;
    }

    /** These, with flags besides. */
    public RequestOptions and(int more) {
        int all = flags | more;
        if (all == flags) {
            return this;
        }
        return areFlagsOnly() ? of(all) : new RequestOptions(all, lane, path, pending, blocks, key, earlier);
    }

    /** These, in a lane. */
    public RequestOptions in(Lane order) {
        return new RequestOptions(flags, order, path, pending, blocks, key, earlier);
    }

    /** These, with this path. */
    public RequestOptions behind(CallPath waiting) {
        return waiting.isEmpty() && path.isEmpty()
                ? this
                : new RequestOptions(flags, lane, waiting, pending, blocks, key, earlier);
    }

    /** These, with arguments that are results of earlier calls. */
    public RequestOptions lacking(List<PendingArgument> arguments) {
        return arguments.isEmpty() && pending.isEmpty()
                ? this
                : new RequestOptions(flags, lane, path, arguments, blocks, key, earlier);
    }

    /** These, with large arguments that follow. */
    public RequestOptions followedBy(List<Blocks> arguments) {
        return arguments.isEmpty() && blocks.isEmpty()
                ? this
                : new RequestOptions(flags, lane, path, pending, arguments, key, earlier);
    }

    /** These, with what the call has in common with others. */
    public RequestOptions keyed(long common) {
        return new RequestOptions(flags, lane, path, pending, blocks, common, earlier);
    }

    /** These, of a call that goes to another replica than an earlier one. */
    public RequestOptions elsewhereThan(long call) {
        return new RequestOptions(flags, lane, path, pending, blocks, key, call);
    }

    /** These without what only a broker needs: the key and the earlier call. */
    public RequestOptions forServer() {
        return key == null && earlier == null
                ? this
                : new RequestOptions(flags, lane, path, pending, blocks, null, null);
    }

    /** The bytes of the options block in a frame, its length field included; 0 if there is nothing but flags. */
    public int length() {
        return RequestCodec.length(this);
    }

    /** Whether a REQUEST with these and so many argument bytes is as long as a REQUEST may be, or shorter. */
    public boolean fit(int argumentBytes) {
        return (long) RequestHead.PLAIN_LENGTH + length() + argumentBytes <= FrameKind.REQUEST.maxLength();
    }
}
