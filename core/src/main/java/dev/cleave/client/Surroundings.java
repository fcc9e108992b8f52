package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Observation;
import dev.cleave.wire.Attachments;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The deadline, attachments and observers of one call.
 *
 * @param deadline how long it may take; null for the time of its method
 * @param until when the call that is served by the thread that makes this one must have ended, on the clock of the node;
 *     {@link Long#MAX_VALUE} for none
 * @param attachments the texts that travel with it
 * @param observation is told how it goes on; null if there are no observers
 */
record Surroundings(
        @Nullable Duration deadline,
        long until,
        Attachments attachments,
        @Nullable Observation observation) {

    /** The surroundings of most calls. */
    static final Surroundings NONE = new Surroundings(null, Long.MAX_VALUE, Attachments.NONE, null);

    Surroundings {
        requireNonNull(attachments, "attachments");
    }
}
