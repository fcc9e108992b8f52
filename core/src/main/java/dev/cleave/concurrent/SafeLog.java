package dev.cleave.concurrent;

import org.jspecify.annotations.Nullable;

/**
 * Logs for threads that carry the work of others: a handler that throws, or a formatter that finds no class because the
 * process has run out of file descriptors, must not end such a thread.
 */
public final class SafeLog {

    private SafeLog() {}

    /** Logs a message with its cause, and forgets whatever the logger throws. */
    public static void log(System.Logger log, System.Logger.Level level, String message, @Nullable Throwable cause) {
        try {
            log.log(level, message, cause);
        } catch (Throwable e) { // of the logger: there is no place left to tell of it
            return;
        }
    }

    /** What a throwable says of itself; its class's name if it throws when asked. */
    public static String text(Throwable thrown) {
        try {
            return String.valueOf(thrown.getMessage());
        } catch (Throwable e) { // user code: an overridden getMessage
            return thrown.getClass().getName();
        }
    }
}
