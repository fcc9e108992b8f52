package dev.cleave.jmh.bench.contender;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** A caller of middleware that has no asynchronous call: a window is as many threads. It may be used by all of them. */
public interface ThreadCaller extends Contender.Caller {

    /** Where the threads of windows come from. */
    ExecutorService threads();

    /** Threads for {@link #threads()}, which do not keep a JVM alive. */
    static ExecutorService daemons() {
        return Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "window");
            thread.setDaemon(true);
            return thread;
        });
    }

    @Override
    default long echoes(int count, int window) throws Exception {
        return together(count, window, this::echo);
    }

    @Override
    default long echoes(byte[] value, int count, int window) throws Exception {
        return together(count, window, i -> echo(value).length);
    }

    private long together(int count, int window, Call call) throws Exception {
        List<Future<Long>> parts = new ArrayList<>();
        for (int thread = 0; thread < window; thread++) {
            int first = thread;
            parts.add(threads().submit(() -> {
                long sum = 0;
                for (int i = first; i < count; i += window) {
                    sum += call.make(i);
                }
                return sum;
            }));
        }
        long sum = 0;
        for (Future<Long> part : parts) {
            sum += part.get();
        }
        return sum;
    }

    /** A call that waits for its answer. */
    @FunctionalInterface
    interface Call {

        /** Makes the call of a number. */
        long make(int i) throws Exception;
    }
}
