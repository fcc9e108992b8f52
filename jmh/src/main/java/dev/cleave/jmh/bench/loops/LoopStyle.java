package dev.cleave.jmh.bench.loops;

import java.util.Locale;

/** How a loop is written, and run. */
public enum LoopStyle {
    /** The plain loop, without the agent. */
    PLAIN,
    /** The same class, with the agent. */
    AGENT,
    /** By hand, with {@code Cleave.async} and a window of {@code Pending}; the floor. */
    FUTURES,
    /** By hand, with a window of {@code CompletableFuture}. */
    COMPLETABLE_FUTURES,
    /** A virtual thread for each call; needs JDK 21. */
    VIRTUAL_THREADS;

    /** Its name in tables and records. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    LoopProgram program() throws ReflectiveOperationException {
        return switch (this) {
            case PLAIN, AGENT -> new PlainLoops();
            case FUTURES -> new PendingLoops();
            case COMPLETABLE_FUTURES -> new CompletableLoops();
            case VIRTUAL_THREADS -> new VirtualThreadLoops();
        };
    }
}
