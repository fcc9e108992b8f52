package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import dev.cleave.metrics.FlightRecording;
import dev.cleave.wire.Chunk;
import java.util.function.Supplier;

/**
 * Chooses how many bytes a chunk of one connection has, while it sends: many on a fast link, where each frame costs
 * time, and few on a slow one, where small frames wait behind a chunk and the receiver begins with the first one.
 *
 * <p>A chunk is to occupy the link for a part of the round trip, within bounds: {@value #LEAST_NANOS} to {@value
 * #MOST_NANOS} ns. How fast the link is tell credit that comes back, so the receiver's pace counts too, and how soon
 * the connection takes more; what is older counts half as much with each measurement. Each measurement moves the size
 * by a factor of two at most, and leaves it where it is less than that from what it should be.
 *
 * <p>Event thread only.
 */
final class ChunkSize {

    static final int LEAST = 4 << 10;
    static final int MOST = Chunk.MOST_BYTES;

    /**
     * Before anything is known: four of these are what a link that turns out slow has taken, and two steps of a fast
     * one.
     */
    static final int FIRST = 32 << 10;

    static final long LEAST_NANOS = 500_000;
    static final long MOST_NANOS = 4_000_000;

    private static final int ROUND_TRIP_PARTS = 4;

    private final Supplier<?> link;
    private int bytes = FIRST;
    private long roundTrip; // the least that was measured; 0 if none was
    private double movedBytes;
    private double movedNanos;

    /** The size for one connection; {@code link} names it in the flight recorder. */
    ChunkSize(Supplier<?> link) {
        this.link = requireNonNull(link, "link");
    }

    /** Returns the most bytes of a chunk now: a power of two. */
    int bytes() {
        return bytes;
    }

    /** Measures the time of an answer that waited only for the link. */
    void answered(long nanos) {
        if (nanos > 0 && (roundTrip == 0 || nanos < roundTrip)) {
            roundTrip = nanos;
        }
    }

    /** Measures bytes sent in a time during which there always was something to send. */
    void moved(long count, long nanos) {
        movedBytes = movedBytes / 2 + count;
        movedNanos = movedNanos / 2 + Math.max(1, nanos);
        double target =
                movedBytes / movedNanos * Math.max(LEAST_NANOS, Math.min(MOST_NANOS, roundTrip / ROUND_TRIP_PARTS));
        int next = target >= 2.0 * bytes ? bytes * 2 : target <= bytes / 2.0 ? bytes / 2 : bytes;
        next = Math.max(LEAST, Math.min(MOST, next));
        if (next != bytes) {
            bytes = next;
            record();
        }
    }

    private void record() {
        if (FlightRecording.isPossible()) {
            ChunkSizeEvent event = new ChunkSizeEvent();
            if (event.isEnabled()) {
                event.link = String.valueOf(link.get());
                event.bytes = bytes;
                event.rate = Math.round(movedBytes / movedNanos * 1e9);
                event.roundTrip = roundTrip;
                event.commit();
            }
        }
    }
}
