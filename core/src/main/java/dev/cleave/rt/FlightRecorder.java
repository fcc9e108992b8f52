package dev.cleave.rt;

/**
 * Whether the JVM's flight recorder records calls now. Costs nothing while it does not, and does without the module
 * {@code jdk.jfr}.
 */
final class FlightRecorder {

    private static final boolean EXISTS = exists();

    private FlightRecorder() {}

    static boolean isRecording() {
        return EXISTS && RecordedCall.isWanted();
    }

    private static boolean exists() {
        try {
            Class.forName("jdk.jfr.Event", false, FlightRecorder.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
