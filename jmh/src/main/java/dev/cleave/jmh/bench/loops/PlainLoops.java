package dev.cleave.jmh.bench.loops;

import java.util.stream.IntStream;

/** Calls as one writes them; what the agent sees. */
final class PlainLoops implements LoopProgram {

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
}
