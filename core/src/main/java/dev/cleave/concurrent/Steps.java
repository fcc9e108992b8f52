package dev.cleave.concurrent;

import java.util.function.Consumer;

/** Steps that do not depend on each other: one that throws, an Error as well, is logged, and those behind it run. */
public final class Steps {

    private Steps() {}

    /**
     * Runs all steps in their order, on the current thread. Never throws.
     *
     * @param log what a failure is logged to, as an error
     * @param what the steps are, for the log
     */
    public static void runAll(System.Logger log, String what, Runnable... steps) {
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (Throwable e) { // an Error as well: those behind it are to run
                log.log(System.Logger.Level.ERROR, what, e);
            }
        }
    }

    /** Does the same with each element, in their order, on the current thread. Never throws. */
    public static <T> void forEach(
            System.Logger log, String what, Iterable<? extends T> all, Consumer<? super T> step) {
        for (T each : all) {
            runAll(log, what, () -> step.accept(each));
        }
    }
}
