package dev.cleave.concurrent;

import java.util.function.Consumer;

/**
 * Runs steps that do not depend on each other: if a step throws, even an Error, that is logged, and the steps after it
 * run.
 */
public final class Steps {

    private Steps() {}

    /**
     * Runs all steps in their order, on the current thread. Never throws.
     *
     * @param log the logger for failures
     * @param what a word for the steps, for the log
     */
    public static void runAll(System.Logger log, String what, Runnable... steps) {
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (Throwable e) { // an Error as well: the steps after it must run
                log.log(System.Logger.Level.ERROR, what, e);
            }
        }
    }

    /** Runs a step for each element, in their order, on the current thread. Never throws. */
    public static <T> void forEach(
            System.Logger log, String what, Iterable<? extends T> all, Consumer<? super T> step) {
        for (T each : all) {
            runAll(log, what, () -> step.accept(each));
        }
    }
}
