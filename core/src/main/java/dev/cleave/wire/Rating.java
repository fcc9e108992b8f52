package dev.cleave.wire;

/**
 * The priority of a call as its caller has computed it from the arguments: calls of a greater value go first wherever
 * they wait.
 *
 * @param value the priority; never NaN
 * @param expression the CRC32C of the text of the expression, by which a server knows its own expression
 * @param prefersBlocked whether the call goes before calls of greater priority when its caller is blocked on it
 */
public record Rating(double value, int expression, boolean prefersBlocked) {

    /** The bytes of a rating in a frame. */
    static final int LENGTH = Double.BYTES + Integer.BYTES + Byte.BYTES;

    /** Takes what is no number as the least value. */
    public Rating {
        value = Double.isNaN(value) ? Double.NEGATIVE_INFINITY : value;
    }
}
