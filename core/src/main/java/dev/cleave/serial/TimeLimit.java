package dev.cleave.serial;

/**
 * Says when nobody waits any longer for a value that is being read. Asked by the thread that reads it, every few hundred
 * objects or some tenths of a millisecond of counted work; not within code of the program.
 */
@FunctionalInterface
public interface TimeLimit {

    /** It may take as long as it does. */
    TimeLimit NONE = () -> false;

    /** A limit on the clock of {@link System#nanoTime}. */
    static TimeLimit at(long nanos) {
        return () -> System.nanoTime() - nanos >= 0;
    }

    /** Whether its time is over. */
    boolean hasPassed();
}
