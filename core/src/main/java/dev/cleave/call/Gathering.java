package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.Aggregate;
import dev.cleave.config.Communication;

/**
 * Chooses how much a connection gathers by the sizes of its last frames and the times between them: as {@code bulk} where 64 KiB come
 * within a millisecond, as {@code incremental} where four frames come within 50 us, else each at once. Frames that two threads
 * write at the same time may count as one.
 */
final class Gathering {

    private static final int FEW = 4;
    private static final int WEIGHT = 8;

    private long last;
    private long gap = Aggregate.USUAL_DELAY.toNanos(); // mean of the last times between frames
    private long size; // mean of the last frames

    /** Returns how a frame of {@code bytes} bytes is gathered that is written now: as {@code most}, unless that is to be measured. */
    Aggregate of(Aggregate most, int bytes, long now) {
        if (!most.isMeasured()) {
            return most;
        }
        long usual = Aggregate.USUAL_DELAY.toNanos();
        gap += (Math.min(now - last, 2 * usual) - gap) / WEIGHT;
        size += (bytes - size) / WEIGHT;
        last = now;
        Communication form = gap > usual / FEW
                ? Communication.INTERMITTENT
                : size * 1_000_000 / Math.max(1, gap) >= Aggregate.USUAL_BYTES
                        ? Communication.BULK
                        : Communication.INCREMENTAL;
        return requireNonNull(form.traffic().aggregate());
    }
}
