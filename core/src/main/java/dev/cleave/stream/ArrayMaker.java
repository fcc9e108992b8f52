package dev.cleave.stream;

import static java.util.Objects.requireNonNull;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes the arrays of blocks on a thread of its own, one after the other: the JVM clears an array of 64 MiB in some ten
 * milliseconds, for which no event thread has time. The thread ends after {@value #IDLE_SECONDS} s without work.
 * Thread-safe.
 */
final class ArrayMaker {

    static final int IDLE_SECONDS = 5;

    private final ThreadPoolExecutor thread =
            new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                Thread made = new Thread(task, "cleave-arrays");
                made.setDaemon(true);
                made.setContextClassLoader(null);
                return made;
            });

    ArrayMaker() {
        thread.allowCoreThreadTimeOut(true);
    }

    /**
     * Makes the array of a block.
     *
     * @param whenMade called on the thread of this; it is given why there is none, or null
     */
    void make(Block block, Consumer<@Nullable OutOfMemoryError> whenMade) {
        requireNonNull(whenMade, "whenMade");
        thread.execute(() -> {
            OutOfMemoryError problem = null;
            try {
                block.make();
            } catch (OutOfMemoryError e) { // more than the heap has left: the value cannot come
                problem = e;
            }
            whenMade.accept(problem);
        });
    }
}
