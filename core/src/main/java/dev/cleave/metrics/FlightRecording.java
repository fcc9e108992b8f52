package dev.cleave.metrics;

/** Whether the JVM has a flight recorder: all works without the module {@code jdk.jfr}. */
public final class FlightRecording {

    private static final boolean EXISTS = exists();

    private FlightRecording() {}

    /** Whether classes of events can be used at all. */
    public static boolean isPossible() {
        return EXISTS;
    }

    private static boolean exists() {
        try {
            Class.forName("jdk.jfr.Event", false, FlightRecording.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }
}
