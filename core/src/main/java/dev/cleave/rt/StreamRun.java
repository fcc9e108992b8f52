package dev.cleave.rt;

/** One run of a stream, and what runs ahead of it. Confined to the thread that runs it; nothing here throws. */
interface StreamRun {

    /** The program took so many elements before the run began. Called first, if at all. */
    void passOver(long passed);

    /** An element comes by: some more are run ahead. */
    void step();

    /** The element at hand goes to a function that calls next: what was sent for it is handed over. */
    void hand(int call);

    /** Code that nobody knows is about to run (R61). */
    void stale();

    /** The stream has ended, or an exception ends it: what was sent and not taken is given up. */
    void close();
}
