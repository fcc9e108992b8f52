package dev.cleave.jmh.bench.loops;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.FutureTask;

/** Runs a loop in several threads at once. */
final class Together {

    static final int THREADS = 8;

    private Together() {}

    /** The sum of what the loop returns in each thread. */
    static long sum(Callable<Long> loop) throws Exception {
        List<FutureTask<Long>> tasks = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            FutureTask<Long> task = new FutureTask<>(loop);
            Thread thread = new Thread(task, "loop-" + i);
            thread.setDaemon(true);
            thread.start();
            tasks.add(task);
        }
        long sum = 0;
        for (FutureTask<Long> task : tasks) {
            sum += task.get();
        }
        return sum;
    }
}
