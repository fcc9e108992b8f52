package dev.cleave.wire;

/** Why a call, a request or a connection failed, as a number that never changes. */
public enum ErrorCode {
    /** The method ran and threw. */
    THROWN(1),
    /** The service has no such method. */
    NO_SUCH_METHOD(2),
    /** The service has no live replica. */
    NO_REPLICA(3),
    /** The deadline passed first. */
    DEADLINE(4),
    /** A queue was full. */
    OVERLOAD(5),
    /** A value was of a type that is not allowed there. */
    REFUSED_TYPE(6),
    /** The caller gave the call up. */
    CANCELLED(7),
    /** The connection that carried the call broke. */
    CONNECTION_LOST(8),
    /** The peer violated the protocol. */
    PROTOCOL(9),
    /** The peers have no protocol version in common. */
    VERSION(10),
    /** A frame, a string or a list is longer than the protocol allows. */
    TOO_LARGE(11),
    /** An error of the peer itself. */
    INTERNAL(12),
    /** The service or the replica is not registered. */
    NOT_REGISTERED(13),
    /** The name is taken. */
    ALREADY_BOUND(14),
    /** No object has this reference any more. */
    NO_SUCH_REFERENCE(15),
    /** The call would have waited for its own end. */
    WAIT_CYCLE(16),
    /** The identity of the peer has no right to it. */
    DENIED(17);

    private static final ErrorCode[] BY_NUMBER = new ErrorCode[18];

    static {
        for (ErrorCode code : values()) {
            BY_NUMBER[code.number] = code;
        }
    }

    private final int number;

    ErrorCode(int number) {
        this.number = number;
    }

    /** The number on the wire. */
    public int number() {
        return number;
    }

    /**
     * The code of a number.
     *
     * @throws WireException if there is none
     */
    public static ErrorCode of(int number) {
        if (number < 1 || number >= BY_NUMBER.length) {
            throw new WireException(PROTOCOL, "error code: " + number + " (expected: 1..17)");
        }
        return BY_NUMBER[number];
    }
}
