package dev.cleave.broker;

import dev.cleave.Remote;

/** A service with jobs that take as long as a test likes. */
@Remote
interface Work {

    /** Returns ten times the number of the job. */
    int run(int job);
}
