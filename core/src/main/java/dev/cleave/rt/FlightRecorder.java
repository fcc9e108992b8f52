package dev.cleave.rt;

import dev.cleave.metrics.FlightRecording;

/** Says whether the JVM's flight recorder records calls now. Costs nothing while it does not. */
final class FlightRecorder {

    private FlightRecorder() {}

    static boolean isRecording() {
        return FlightRecording.isPossible() && RecordedCall.isWanted();
    }
}
