package dev.cleave.metrics;

/**
 * Finds out whether a flight recorder has been started in the JVM. Our event classes are not touched before that: to
 * register the first of them takes a program's start some hundred milliseconds of processor time. Cleave also runs
 * without the module {@code jdk.jfr}.
 */
public final class FlightRecording {

    private static final boolean EXISTS = exists();

    private FlightRecording() {}

    /** Says whether there may be a recording, whose events are to be asked whether they are wanted. */
    public static boolean isPossible() {
        return EXISTS && Recorder.isStarted();
    }

    private static boolean exists() {
        try {
            Class.forName("jdk.jfr.FlightRecorder", false, FlightRecording.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError e) {
            return false;
        }
    }

    /** Refers to the module; loaded only where it exists. */
    private static final class Recorder {

        static boolean isStarted() {
            return jdk.jfr.FlightRecorder.isInitialized();
        }
    }
}
