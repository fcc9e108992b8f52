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

    @Override
    public long chained(Work work, int calls, int micros) {
        Queue<Pending<Void>> window = new ArrayDeque<>(WINDOW);
        for (int i = 0; i < calls; i++) {
            if (window.size() == WINDOW) {
                window.remove().await();
            }
            int item = i;
            window.add(Cleave.async(() -> work.put(item, micros)));
        }
        while (!window.isEmpty()) {
            window.remove().await();
        }
        return work.drain();
    }

    @Override
    public long pure(Work work, int calls, int micros) {
        Queue<Pending<Long>> window = new ArrayDeque<>(WINDOW);
        long sum = 0;
        for (int sent = 0, i = 0; i < calls; i++) {
            while (sent < calls && window.size() < WINDOW) {
                int item = sent++;
                window.add(Cleave.async(() -> work.look(item, micros)));
            }
            long result = window.remove().await();
            if (result < 0) {
                window.forEach(Pending::cancel);
                break;
            }
            sum += result;
        }
        return sum;
    }
}
