package dev.cleave.rt;

import dev.cleave.call.Handle;
import dev.cleave.metrics.FlightRecording;

/** Makes sent calls that report to the JVM's flight recorder while it records. Costs nothing while it does not. */
final class FlightRecorder {

    private FlightRecorder() {}

    /** Creates a sent call, which is recorded if the flight recorder records calls. */
    static SentCall call(Handle handle, Site site) {
        return call(handle, site, System.nanoTime());
    }

    /** Creates a sent call that was sent, or claimed, at a time. */
    static SentCall call(Handle handle, Site site, long sentAt) {
        return FlightRecording.isPossible() && RecordedCall.isWanted()
                ? new RecordedCall(handle, site, sentAt)
                : new SentCall(handle, site, sentAt);
    }
}
