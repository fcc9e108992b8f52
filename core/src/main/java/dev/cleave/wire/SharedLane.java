package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;

/**
 * A lane of another server, from which the server of a call fetches results that are arguments of the call. A peer that
 * knows the key may fetch them: it is random, and only the caller and servers of its calls have it.
 *
 * @param high upper half of the key
 * @param low lower half of the key
 * @param endpoint at which that server is dialled, or {@link #BROKER}
 */
public record SharedLane(long high, long low, String endpoint) {

    /** The endpoint of a lane whose calls a broker relays: its results are fetched through the broker ({@link LaneOf}). */
    public static final String BROKER = "broker";

    /** The most shared lanes of one REQUEST. */
    public static final int MOST = 16;

    /** The most bytes of an endpoint. */
    static final int MOST_BYTES = 512;

    /** Checks its components. */
    public SharedLane {
        requireNonNull(endpoint, "endpoint");
        int bytes = endpoint.getBytes(StandardCharsets.UTF_8).length;
        if (bytes == 0 || bytes > MOST_BYTES) {
            throw new IllegalArgumentException("endpoint: " + bytes + " bytes (expected: 1.." + MOST_BYTES + ")");
        }
    }
}
