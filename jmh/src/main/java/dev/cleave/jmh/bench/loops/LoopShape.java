package dev.cleave.jmh.bench.loops;

import java.util.Locale;

/** What kind of loop is run. */
public enum LoopShape {
    /** A loop of calls. */
    LOOP {
        @Override
        long sum(LoopProgram program, Work work, int calls, int micros) throws Exception {
            return program.loop(work, calls, micros);
        }
    },
    /** A loop whose call is in a method of its own. */
    HELPER {
        @Override
        long sum(LoopProgram program, Work work, int calls, int micros) throws Exception {
            return program.helper(work, calls, micros);
        }

        @Override
        long expected(int calls) {
            return 2 * super.expected(calls);
        }
    },
    /** A sequential stream. */
    STREAM {
        @Override
        long sum(LoopProgram program, Work work, int calls, int micros) throws Exception {
            return program.stream(work, calls, micros);
        }
    };

    /** Its name in tables and records. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    abstract long sum(LoopProgram program, Work work, int calls, int micros) throws Exception;

    long expected(int calls) {
        long sum = 0;
        for (int i = 0; i < calls; i++) {
            sum += WaitingWork.result(i);
        }
        return sum;
    }
}
