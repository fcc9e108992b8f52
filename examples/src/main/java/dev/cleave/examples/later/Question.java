package dev.cleave.examples.later;

/** A case that a client is asked to measure. */
public interface Question {

    /** Its name in the figures. */
    String label();

    /** The line that asks for it. */
    String command();
}
