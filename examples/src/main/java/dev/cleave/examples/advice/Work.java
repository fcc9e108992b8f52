package dev.cleave.examples.advice;

import dev.cleave.Remote;

/** Work that takes as long as the file says. */
@Remote
public interface Work {

    /** A short piece of work. */
    long small(int number);

    /** A long one. */
    long large(int number);
}
