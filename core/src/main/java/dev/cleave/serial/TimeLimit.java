package dev.cleave.serial;

/**
 * Ends the reading of a value for which no caller waits any longer. The reading thread checks it every few hundred
 * objects or some tenths of a millisecond of counted work, but not within code of the program.
 */
@FunctionalInterface
public interface TimeLimit {

    /** No limit. */
    TimeLimit NONE = () -> false;

    /** A limit on the clock of {@link System#nanoTime}. */
    static TimeLimit at(long nanos) {
        return () -> System.nanoTime() - nanos >= 0;
    }

    /** Whether the time is over. */
    boolean hasPassed();
}
