package dev.cleave.jmh.bench.loops;

/** The same three programs, written in one way. Each returns the sum of the results of its calls. */
interface LoopProgram {

    /** A loop of calls. */
    long loop(Work work, int calls, int micros) throws Exception;

    /** A loop whose call is in a method of its own, which doubles the result. */
    long helper(Work work, int calls, int micros) throws Exception;

    /** A sequential stream. */
    long stream(Work work, int calls, int micros) throws Exception;
}
