package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The flags and options in the {@linkplain RequestHead head} of a REQUEST, in addition to call, method and deadline.
 * Immutable.
 *
 * @param flags some of {@link #AWAITED}, {@link #MOVABLE}, {@link #MOVED} and {@link #STAYS}; the second and third only
 *     without a lane, the last only with one
 * @param lane the lane that orders the call among others of its caller; null for none
 * @param path the calls that wait for this call
 * @param pending arguments that are results of earlier calls of the lane, which is {@link Lane.Kind#DEPENDENT}; at most
 *     {@link PendingArgument#MOST}
 * @param blocks large arguments, which follow the frame, at most {@link Blocks#MOST}
 * @param key equal for calls that a broker sends to one replica; null if the call has no key. From a client to its broker only, and
 *     only with the feature {@link Hello#KEYS}
 * @param earlier the number of a call of the same client, whose replica the broker must not choose for this call; null
 * if it may choose any. From a client to its broker only, and only with the feature {@link Hello#HEDGES}
 * @param attachments texts that travel with the call; only to peers with the feature {@link Hello#ATTACHMENTS}
 * @param shared the lanes of other servers that {@code pending} names, at most {@link SharedLane#MOST}
 * @param rating the priority that the caller has computed; null if the call has none. Only to peers with the feature
 *     {@link Hello#RATINGS}
 */
public record RequestOptions(
        int flags,
        @Nullable Lane lane,
        CallPath path,
        List<PendingArgument> pending,
        List<Blocks> blocks,
        @Nullable Long key,
        @Nullable Long earlier,
        Attachments attachments,
        List<SharedLane> shared,
        @Nullable Rating rating) {

    /** The flag of a call whose caller is blocked from the beginning. */
    public static final int AWAITED = 1;

    /**
     * The flag of a call whose request the sender keeps, so that it can send it to another replica: a server may answer
     * {@link Moved}.
     */
    public static final int MOVABLE = 2;

    /** The flag of a call that has moved from another replica. */
    public static final int MOVED = 4;

    /**
     * The flags of a call whose caller needs the result for nothing but arguments of later calls: a number of three bits,
     * how many arguments. A server that keeps the result for these may answer without it, {@link Reply#STAYED}.
     */
    public static final int STAYS = 8 + 16 + 32;

    /** The most arguments of later calls for which a result can stay. */
    public static final int MOST_USES = 7;

    private static final int ONE_USE = 8;

    /** All flags of this record. */
    static final int FLAGS = AWAITED | MOVABLE | MOVED | STAYS;

    private static final RequestOptions[] WITH_FLAGS_ONLY = new RequestOptions[FLAGS + 1];

    static {
        for (int flags = 0; flags <= FLAGS; flags++) {
            WITH_FLAGS_ONLY[flags] = new RequestOptions(
                    flags, null, CallPath.NONE, List.of(), List.of(), null, null, Attachments.NONE, List.of(), null);
        }
    }

    /** No flags and no options, as for most calls. */
    public static final RequestOptions NONE = of(0);

    /** Checks its components. */
    public RequestOptions {
        requireNonNull(path, "path");
        requireNonNull(attachments, "attachments");
        pending = List.copyOf(pending);
        blocks = List.copyOf(blocks);
        shared = List.copyOf(shared);
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

    /** Returns flags without options; creates no object. */
    public static RequestOptions of(int flags) {
        return WITH_FLAGS_ONLY[flags];
    }

    /** Whether there are no options, so that the head has its least length. */
    public boolean areFlagsOnly() {
        return this == WITH_FLAGS_ONLY[flags]
                || lane == null
                        && path.isEmpty()
                        && pending.isEmpty()
                        && blocks.isEmpty()
                        && key == null
                        && earlier == null
                        && attachments.isEmpty()
                        && shared.isEmpty()
                        && rating == null;
    }

    /** Whether the caller is blocked from the beginning. */
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

    /** For how many arguments of later calls, and nothing else, the caller needs the result; 0 if the result must be sent. */
    public int uses() {
        return (flags & STAYS) / ONE_USE;
    }

    /** Returns these options for a call whose result may stay at the server for a number of arguments of later calls. */
    public RequestOptions staying(int arguments) {
        return and(arguments * ONE_USE);
    }

    /** Returns these options with further flags. */
    public RequestOptions and(int more) {
        int all = flags | more;
        if (all == flags) {
            return this;
        }
        return areFlagsOnly()
                ? of(all)
                : new RequestOptions(all, lane, path, pending, blocks, key, earlier, attachments, shared, rating);
    }

    /** Returns these options with a lane. */
    public RequestOptions in(Lane order) {
        return new RequestOptions(flags, order, path, pending, blocks, key, earlier, attachments, shared, rating);
    }

    /** Returns these options with a path. */
    public RequestOptions behind(CallPath waiting) {
        return waiting.isEmpty() && path.isEmpty()
                ? this
                : new RequestOptions(flags, lane, waiting, pending, blocks, key, earlier, attachments, shared, rating);
    }

    /** Returns these options with arguments that are results of earlier calls. */
    public RequestOptions lacking(List<PendingArgument> arguments) {
        return arguments.isEmpty() && pending.isEmpty()
                ? this
                : new RequestOptions(flags, lane, path, arguments, blocks, key, earlier, attachments, shared, rating);
    }

    /** Returns these options with lanes of other servers. */
    public RequestOptions sharing(List<SharedLane> lanes) {
        return lanes.isEmpty() && shared.isEmpty()
                ? this
                : new RequestOptions(flags, lane, path, pending, blocks, key, earlier, attachments, lanes, rating);
    }

    /** Returns these options with large arguments that follow. */
    public RequestOptions followedBy(List<Blocks> arguments) {
        return arguments.isEmpty() && blocks.isEmpty()
                ? this
                : new RequestOptions(flags, lane, path, pending, arguments, key, earlier, attachments, shared, rating);
    }

    /** Returns these options with a key. */
    public RequestOptions keyed(long common) {
        return new RequestOptions(flags, lane, path, pending, blocks, common, earlier, attachments, shared, rating);
    }

    /** Returns these options for a call that must go to another replica than an earlier one. */
    public RequestOptions elsewhereThan(long call) {
        return new RequestOptions(flags, lane, path, pending, blocks, key, call, attachments, shared, rating);
    }

    /** Returns these options with a priority that the caller has computed, or with none. */
    public RequestOptions rated(@Nullable Rating other) {
        return Objects.equals(other, rating)
                ? this
                : new RequestOptions(flags, lane, path, pending, blocks, key, earlier, attachments, shared, other);
    }

    /** Returns these options with other attachments. */
    public RequestOptions with(Attachments others) {
        return others == attachments
                ? this
                : new RequestOptions(flags, lane, path, pending, blocks, key, earlier, others, shared, rating);
    }

    /** Returns these options without those that only a broker needs: the key and the earlier call. */
    public RequestOptions forServer() {
        return key == null && earlier == null
                ? this
                : new RequestOptions(flags, lane, path, pending, blocks, null, null, attachments, shared, rating);
    }

    /** The bytes of the options block in a frame, its length field included; 0 if there are only flags. */
    public int length() {
        return RequestCodec.length(this);
    }

    /** Whether a REQUEST with these options and a number of argument bytes is within the length limit. */
    public boolean fit(int argumentBytes) {
        return (long) RequestHead.PLAIN_LENGTH + length() + argumentBytes <= FrameKind.REQUEST.maxLength();
    }
}
