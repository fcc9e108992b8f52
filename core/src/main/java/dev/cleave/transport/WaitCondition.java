package dev.cleave.transport;

/** What a thread waits for. */
@FunctionalInterface
public interface WaitCondition {

    /** Says whether it has come. Cheap; asked by any thread. */
    boolean isDone();
}
