package dev.cleave.jmh.bench.calls;

import java.util.Arrays;
import java.util.Locale;

/** What kind of calls is measured. */
public enum CallShape {
    /** Calls without argument and result, one after the other. */
    SYNC_NULL("p50", "us", 4_000) {
        @Override
        double figure(CallTurn turn) throws Exception {
            Contender.Caller caller = turn.caller();
            return median(turn.count(), i -> caller.nothing());
        }
    },
    /** Echoes of eight bytes, one after the other. */
    SYNC_ECHO("p50", "us", 4_000) {
        @Override
        double figure(CallTurn turn) throws Exception {
            Contender.Caller caller = turn.caller();
            return median(turn.count(), i -> check(caller.echo(i), i));
        }
    },
    /** Echoes of eight bytes by eight threads. */
    CALLERS_8("rate", "calls/s", 16_000) {
        @Override
        double figure(CallTurn turn) throws Exception {
            double seconds = turn.together((caller, count) -> {
                for (int i = 0; i < count; i++) {
                    check(caller.echo(i), i);
                }
            });
            return turn.count() / seconds;
        }
    },
    /** Echoes of eight bytes by one thread, 64 in flight. */
    WINDOW_64("rate", "calls/s", 64_000) {
        @Override
        double figure(CallTurn turn) throws Exception {
            long count = turn.count();
            long begin = System.nanoTime();
            check(turn.caller().echoes(turn.count(), 64), count * (count - 1) / 2);
            return count / ((System.nanoTime() - begin) / 1e9);
        }
    },
    /** Calls with an array of doubles of 8 MiB, one after the other. */
    DOUBLES_8_MIB("rate", "MiB/s", 12) {
        @Override
        double figure(CallTurn turn) throws Exception {
            double[] values = new double[(MEBIBYTES << 20) / Double.BYTES];
            values[0] = 1;
            values[values.length - 1] = 2;
            long begin = System.nanoTime();
            for (int i = 0; i < turn.count(); i++) {
                check((long) turn.caller().ends(values), 3);
            }
            return MEBIBYTES * turn.count() / ((System.nanoTime() - begin) / 1e9);
        }
    };

    private static final int MEBIBYTES = 8;

    private final String metric;
    private final String unit;
    private final int count;

    CallShape(String metric, String unit, int count) {
        this.metric = metric;
        this.unit = unit;
        this.count = count;
    }

    /** Its name in tables and records. */
    public String id() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** What its figure says: {@code p50} or {@code rate}. */
    public String metric() {
        return metric;
    }

    /** The unit of its figure. */
    public String unit() {
        return unit;
    }

    /** How many calls a turn makes. */
    public int count() {
        return count;
    }

    abstract double figure(CallTurn turn) throws Exception;

    private interface Call {

        void make(int i) throws Exception;
    }

    private static double median(int count, Call call) throws Exception {
        long[] times = new long[count];
        for (int i = 0; i < count; i++) {
            long begin = System.nanoTime();
            call.make(i);
            times[i] = System.nanoTime() - begin;
        }
        Arrays.sort(times);
        return times[count / 2] / 1e3;
    }

    private static void check(long answer, long expected) {
        if (answer != expected) {
            throw new IllegalStateException("answer: " + answer + " (expected: " + expected + ")");
        }
    }
}
