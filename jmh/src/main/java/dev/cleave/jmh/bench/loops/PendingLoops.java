package dev.cleave.jmh.bench.loops;

import dev.cleave.Cleave;
import dev.cleave.Pending;
import java.util.ArrayDeque;
import java.util.Queue;

/** Calls overlapped by hand: the oldest of 64 is awaited before the next is sent. */
final class PendingLoops implements LoopProgram {

    private static final int WINDOW = 64;

    @Override
    public long loop(Work work, int calls, int micros) {
        Queue<Pending<Long>> window = new ArrayDeque<>(WINDOW);
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            if (window.size() == WINDOW) {
                sum += window.remove().await();
            }
            int item = i;
            window.add(Cleave.async(() -> work.work(item, micros)));
        }
        while (!window.isEmpty()) {
            sum += window.remove().await();
        }
        return sum;
    }

    @Override
    public long helper(Work work, int calls, int micros) {
        return 2 * loop(work, calls, micros);
    }

    @Override
    public long stream(Work work, int calls, int micros) {
        return loop(work, calls, micros);
    }
}
