package dev.cleave.transport;

/** What a thread waits for. */
@FunctionalInterface
public interface Awaited {

    /** Says whether it has come. Cheap; asked by any thread. */
    boolean isDone();
}
