package dev.cleave.metrics;

/** Finds out whether the JVM has a flight recorder: Cleave also runs without the module {@code jdk.jfr}. */
public final class FlightRecording {

    private static final boolean EXISTS = exists();

    private FlightRecording() {}

    /** Says whether event classes can be loaded. */
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
