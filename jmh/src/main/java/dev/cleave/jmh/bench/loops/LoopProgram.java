package dev.cleave.jmh.bench.loops;

/** The same programs, written in one way. Each returns the sum of the results of its calls. */
interface LoopProgram {

    /** A loop of calls. */
    long loop(Work work, int calls, int micros) throws Exception;

    /** A loop whose call is in a method of its own, which doubles the result. */
    long helper(Work work, int calls, int micros) throws Exception;

    /** A sequential stream. */
    long stream(Work work, int calls, int micros) throws Exception;

    /** A loop of calls without a result, which are to be executed in order. */
    long chained(Work work, int calls, int micros) throws Exception;

    /** A loop with unknown code, a lock, and an exit that depends on each result. */
    long pure(Work work, int calls, int micros) throws Exception;

    /** A loop in which each call depends on the result of the one before. */
    default long unpredictable(Work work, int calls, int micros) throws Exception {
        long result = 0;
        for (int i = 0; i < calls; i++) {
            result = work.look((int) (result % 1000), micros);
        }
        return result;
    }
}
