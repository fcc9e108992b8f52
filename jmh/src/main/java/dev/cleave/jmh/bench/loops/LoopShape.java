package dev.cleave.jmh.bench.loops;

import java.util.Locale;

/** The kinds of loops that are run. */
public enum LoopShape {
    /** A loop of calls. */
    LOOP {
        @Override
        long sum(LoopProgram program, Work work, int calls, int micros) throws Exception {
            return program.loop(work, calls, micros);
        }
    },
    /** Many loops without a call: the overhead alone. */
    NONE {
        @Override
        long sum(LoopProgram program, Work work, int calls, int micros) throws Exception {
            return loops(program, work, calls, 0);
        }

        @Override
        long expected(int calls) {
            return 0;
        }
    },
    /** Many loops of one call. */
    ONE {
        @Override
        long sum(LoopProgram program, Work work, int calls, int micros) throws Exception {
            return loops(program, work, calls, 1);
        }

        @Override
        long expected(int calls) {
            return calls * WaitingWork.result(0);
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
    },
    /** A loop of calls that are to be executed in order. */
    CHAINED {
        @Override
        long sum(LoopProgram program, Work work, int calls, int micros) throws Exception {
            return program.chained(work, calls, micros);
        }
    },
    /** A loop with unknown code, a lock, and an exit that depends on each result. */
    PURE {
        @Override
        long sum(LoopProgram program, Work work, int calls, int micros) throws Exception {
            return program.pure(work, calls, micros);
        }
    },
    /** A loop in which each call depends on the result of the one before. */
    UNPREDICTABLE {
        @Override
        long sum(LoopProgram program, Work work, int calls, int micros) throws Exception {
            return program.unpredictable(work, calls, micros);
        }

        @Override
        long expected(int calls) {
            long result = 0;
            for (int i = 0; i < calls; i++) {
                result = WaitingWork.result((int) (result % 1000));
            }
            return result;
        }
    },
    /** Loops of several threads whose calls a server has too few workers for. */
    SATURATED {
        @Override
        String service() {
            return LoopServer.BUSY;
        }

        @Override
        long sum(LoopProgram program, Work work, int calls, int micros) throws Exception {
            return Together.sum(() -> program.loop(work, calls / Together.THREADS, micros));
        }

        @Override
        long expected(int calls) {
            return Together.THREADS * super.expected(calls / Together.THREADS);
        }
    },
    /** The same, and the server's queue has no room for what the threads send ahead: by hand such loops fail. */
    OVERFULL {
        @Override
        public boolean isFor(LoopStyle style) {
            return style == LoopStyle.PLAIN || style == LoopStyle.AGENT;
        }

        @Override
        String service() {
            return LoopServer.NARROW;
        }

        @Override
        long sum(LoopProgram program, Work work, int calls, int micros) throws Exception {
            return SATURATED.sum(program, work, calls, micros);
        }

        @Override
        long expected(int calls) {
            return SATURATED.expected(calls);
        }
    };

    /** Its name in tables and records. */
    public String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether loops of a style are run: not where such loops cannot end. */
    public boolean isFor(LoopStyle style) {
        return true;
    }

    /** The service that is called. */
    String service() {
        return LoopServer.SERVICE;
    }

    /** Whether calls that take time say nothing about it. */
    public boolean isAboutOverhead() {
        return this == NONE || this == ONE;
    }

    private static long loops(LoopProgram program, Work work, int loops, int calls) throws Exception {
        long sum = 0;
        for (int i = 0; i < loops; i++) {
            sum += program.loop(work, calls, 0);
        }
        return sum;
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
