package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.Attachments;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a stub for its calls.
 *
 * @param deadline how long a call may take; null for that of its method
 * @param attachments the texts that travel with each call
 */
record CallSettings(@Nullable Duration deadline, Attachments attachments) {

    /** No settings, as of the stubs of most programs. */
    static final CallSettings NONE = new CallSettings(null, Attachments.NONE);

    CallSettings {
        requireNonNull(attachments, "attachments");
    }

    /** Returns these with others, where they are given. */
    CallSettings with(@Nullable Duration other, Map<String, String> more) {
        return new CallSettings(other != null ? other : deadline, attachments.and(more));
    }
}
