package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Observation;
import dev.cleave.wire.Attachments;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What one call has besides its method and arguments.
 *
 * @param deadline how long it may take; null for the time of its method
 * @param attachments the texts that travel with it
 * @param observation is told how it goes on; null if nobody wants to know
 */
record Surroundings(
        @Nullable Duration deadline, Attachments attachments, @Nullable Observation observation) {

    /** Those of most calls. */
    static final Surroundings NONE = new Surroundings(null, Attachments.NONE, null);

    Surroundings {
        requireNonNull(attachments, "attachments");
    }
}
