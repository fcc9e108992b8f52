package dev.cleave.jmh.bench.loops;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** Calls as one writes them; what the agent sees. */
final class PlainLoops implements LoopProgram {

    private final LongAdder audited = new LongAdder();
    private final LongConsumer audit = audited::add;
    private final Object lock = new Object();
    private long seen; // guarded by lock

    @Override
    public long loop(Work work, int calls, int micros) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += work.work(i, micros);
        }
        return sum;
    }

    @Override
    public long helper(Work work, int calls, int micros) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += doubled(work, i, micros);
        }
        return sum;
    }

    @Override
    public long stream(Work work, int calls, int micros) {
        return IntStream.range(0, calls).mapToLong(i -> work.work(i, micros)).sum();
    }

    private static long doubled(Work work, int item, int micros) {
        return work.work(item, micros) * 2;
    }

    @Override
    public long chained(Work work, int calls, int micros) {
        for (int i = 0; i < calls; i++) {
            work.put(i, micros);
        }
        return work.drain();
    }

    @Override
    public long pure(Work work, int calls, int micros) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            long result = work.look(i, micros);
            audit.accept(result);
            synchronized (lock) {
                seen = Math.max(seen, result);
            }
            if (result < 0) {
                break;
            }
            sum += result;
        }
        return sum;
    }

    @Override
    public long unpredictable(Work work, int calls, int micros) {
        long result = 0;
        for (int i = 0; i < calls; i++) {
            result = work.look((int) (result % 1000), micros);
        }
        return result;
    }
}
