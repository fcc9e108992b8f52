package dev.cleave.examples.pipeline;

/** A program that makes calls of stations. */
@FunctionalInterface
public interface Line {

    /** Returns what it has computed. */
    Object run(Station[] stations, int begin);
}
