package dev.cleave.transport;

/** The condition that a thread waits for. */
@FunctionalInterface
public interface WaitCondition {

    /** Says whether the condition holds. Cheap; called by any thread. */
    boolean isDone();
}
