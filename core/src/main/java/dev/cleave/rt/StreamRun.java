package dev.cleave.rt;

/** The run-ahead of one run of a stream. Confined to the thread that runs it; no method throws. */
interface StreamRun {

    /** Skips the elements that the program took before the run began. Called first, if at all. */
    void passOver(long passed);

    /** Called for each element of the program: runs some more elements ahead. */
    void step();

    /** Hands over the call that was sent for the current element, which goes to a calling function next. */
    void hand(int call);

    /** Called when unknown code is about to run (R61). */
    void stale();

    /** Called when the stream has ended, also by an exception: discards the calls that were sent and not taken. */
    void close();
}
