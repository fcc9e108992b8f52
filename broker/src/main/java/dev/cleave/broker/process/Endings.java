package dev.cleave.broker.process;

/** Describes in words how a process ended. */
final class Endings {

    private static final int SIGNALLED = 128;

    private Endings() {}

    static boolean wasKilled(int exitCode) {
        return exitCode > SIGNALLED;
    }

    static String describe(int exitCode) {
        return wasKilled(exitCode)
                ? "was killed (signal " + (exitCode - SIGNALLED) + ")"
                : "ended with exit code " + exitCode;
    }
}
