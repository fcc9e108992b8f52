package dev.cleave.examples.numeric;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;

/** Runs the parts of a computation at the same time, one of them on the thread that asks. */
final class Team {

    private final ExecutorService others = Executors.newCachedThreadPool(task -> {
        Thread thread = new Thread(task, "team");
        thread.setDaemon(true);
        return thread;
    });

    /** Runs parts 0 to {@code parts - 1}, and returns when all have ended. */
    void run(int parts, IntConsumer body) {
        List<Future<?>> open = new ArrayList<>();
        for (int part = 1; part < parts; part++) {
            int number = part;
            open.add(others.submit(() -> body.accept(number)));
        }
        body.accept(0);
        for (Future<?> each : open) {
            try {
                each.get();
            } catch (InterruptedException | ExecutionException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
