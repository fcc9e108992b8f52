package dev.cleave.wire;

import org.jspecify.annotations.Nullable;

/**
 * The kinds of frames, each with the number that it has on the wire, the length it may have, and the feature of HELLO that a peer
 * has which takes it: a peer without it closes the connection at such a frame.
 */
public enum FrameKind {
    /** {@link Hello}. */
    HELLO(1, Header.HELLO_LIMIT),
    /** {@link Datagrams}. */
    DATAGRAMS(37, Header.CONTROL_LIMIT),
    /** {@link Resent}. */
    RESENT(38, Header.CONTROL_LIMIT),
    /** {@link RequestHead}. */
    REQUEST(2, Header.CALL_LIMIT),
    /** {@link Reply}. */
    REPLY(3, Header.CALL_LIMIT),
    /** {@link Failure}. */
    FAILURE(4, Header.CALL_LIMIT),
    /** {@link Chunk}. */
    CHUNK(5, Header.CHUNK_LIMIT),
    /** {@link Credit}. */
    CREDIT(6, Header.CONTROL_LIMIT),
    /** {@link Cancel}. */
    CANCEL(7, Header.CONTROL_LIMIT),
    /** {@link Ping}. */
    PING(8, Header.CONTROL_LIMIT),
    /** {@link Pong}. */
    PONG(9, Header.CONTROL_LIMIT),
    /** {@link Methods}. */
    METHODS(10, Header.CONTROL_LIMIT),
    /** {@link Types}. */
    TYPES(11, Header.CONTROL_LIMIT),
    /** {@link RegisterReplica}. */
    REGISTER(12, Header.CONTROL_LIMIT),
    /** {@link Unregister}. */
    UNREGISTER(13, Header.CONTROL_LIMIT),
    /** {@link Lease}. */
    LEASE(14, Header.CONTROL_LIMIT),
    /** {@link Lookup}. */
    LOOKUP(15, Header.CONTROL_LIMIT),
    /** {@link Watch}. */
    WATCH(16, Header.CONTROL_LIMIT),
    /** {@link Replicas}. */
    REPLICAS(17, Header.REGISTRY_LIMIT),
    /** {@link ListServices}. */
    LIST(18, Header.CONTROL_LIMIT),
    /** {@link Services}. */
    SERVICES(19, Header.REGISTRY_LIMIT),
    /** {@link GoAway}. */
    GOAWAY(20, Header.CONTROL_LIMIT),
    /** {@link PeerGone}. */
    PEER_GONE(21, Header.CONTROL_LIMIT),
    /** {@link Registered}. */
    REGISTERED(22, Header.CONTROL_LIMIT),
    /** {@link Held}. */
    HELD(23, Header.CONTROL_LIMIT),
    /** {@link LaneEnd}. */
    LANE_END(24, Header.CONTROL_LIMIT),
    /** {@link Awaited}. */
    AWAITED(25, Header.CONTROL_LIMIT),
    /** {@link Pull}. */
    PULL(26, Header.CONTROL_LIMIT, 1),
    /** {@link Begun}. */
    BEGUN(27, Header.CONTROL_LIMIT),
    /** {@link LoadWatch}. */
    LOAD_WATCH(28, Header.CONTROL_LIMIT),
    /** {@link Loaded}. */
    LOADED(29, Header.CONTROL_LIMIT),
    /** {@link CallClaim}. */
    CALL_CLAIM(30, Header.CONTROL_LIMIT),
    /** {@link CallGrant}. */
    CALL_GRANT(31, Header.CONTROL_LIMIT),
    /** {@link Moved}. */
    MOVED(32, Header.CONTROL_LIMIT),
    /** {@link Settled}. */
    SETTLED(33, Header.CONTROL_LIMIT),
    /** {@link Recall}. */
    RECALL(34, Header.CONTROL_LIMIT),
    /** {@link Suspected}. */
    SUSPECTED(35, Header.CONTROL_LIMIT, 1 << 6),
    /** {@link Drain}. */
    DRAIN(36, Header.CONTROL_LIMIT, 1 << 7),
    /** {@link Unwatch}. */
    UNWATCH(39, Header.CONTROL_LIMIT, 1L << 34),
    /** {@link Caller}. */
    CALLER(40, Header.CONTROL_LIMIT, 1 << 20),
    /** {@link Checked}. */
    CHECKED(41, Header.CONTROL_LIMIT, 1 << 21),
    /** {@link LaneShare}. */
    LANE_SHARE(42, Header.CONTROL_LIMIT, 1 << 23),
    /** {@link Challenge}. */
    CHALLENGE(44, Header.HELLO_LIMIT),
    /** {@link Proof}. */
    PROOF(45, Header.HELLO_LIMIT),
    /** {@link PeerOf}. */
    PEER_OF(49, Header.CONTROL_LIMIT, 1 << 28),
    /** {@link Reload}. */
    RELOAD(52, Header.REGISTRY_LIMIT, 1 << 30),
    /** {@link Reloaded}. */
    RELOADED(53, Header.REGISTRY_LIMIT),
    /** {@link Welcome}. */
    WELCOME(54, Header.CONTROL_LIMIT, 1L << 31),
    /** {@link LaneOf}. */
    LANE_OF(55, Header.CONTROL_LIMIT, 1L << 32),
    /** {@link Forward}. */
    FORWARD(56, Header.CONTROL_LIMIT, 1L << 36),
    /** {@link LoadAsk}; a peer that takes it takes {@link #LOADS}, too. */
    LOAD_ASK(57, Header.CONTROL_LIMIT, 1L << 39),
    /** {@link Loads}. */
    LOADS(58, Header.CONTROL_LIMIT),
    /** {@link Same}. */
    SAME(59, Header.CONTROL_LIMIT),
    /** {@link CallerGone}. */
    CALLER_GONE(60, Header.CONTROL_LIMIT, 1L << 42);

    private static final @Nullable FrameKind[] BY_NUMBER = new @Nullable FrameKind[256];

    static {
        for (FrameKind kind : values()) {
            BY_NUMBER[kind.number] = kind;
        }
    }

    private final int number;
    private final int maxLength;
    private final long feature;

    FrameKind(int number, int maxLength) {
        this(number, maxLength, 0);
    }

    FrameKind(int number, int maxLength, long feature) {
        this.number = number;
        this.maxLength = maxLength;
        this.feature = feature;
    }

    /** The number on the wire. */
    public int number() {
        return number;
    }

    /** The greatest length of a frame of this kind, header included. */
    public int maxLength() {
        return maxLength;
    }

    /** The bit of {@link Hello#features} of peers that take frames of this kind; 0 if all do, or another feature says so. */
    public long feature() {
        return feature;
    }

    /** The features of all kinds. */
    static long features() {
        long features = 0;
        for (FrameKind kind : values()) {
            features |= kind.feature;
        }
        return features;
    }

    /**
     * The kind of a number.
     *
     * @param number 0..255
     * @throws WireException if there is none
     */
    public static FrameKind of(int number) {
        FrameKind kind = BY_NUMBER[number];
        if (kind == null) {
            throw new WireException(
                    ErrorCode.PROTOCOL, "frame kind: " + number + " (expected: one that this version knows)");
        }
        return kind;
    }
}
