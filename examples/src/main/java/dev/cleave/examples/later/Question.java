package dev.cleave.examples.later;

/** One case, which a client is asked to measure. */
public interface Question {

    /** What the figures call it. */
    String label();

    /** The line that asks for it. */
    String command();
}
