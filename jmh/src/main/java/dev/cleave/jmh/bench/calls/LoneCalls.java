package dev.cleave.jmh.bench.calls;

import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;

/** One call after the other, and how long each took. */
final class LoneCalls {

    private static final int FEWEST = 16;
    private static final double MEDIAN = 0.5;
    private static final double WORST = 0.99;

    private LoneCalls() {}

    /** A call, with its number. */
    interface Call {

        void make(int i) throws Exception;
    }

    /** The median and the 99th percentile, in microseconds. */
    static double[] percentiles(CallTurn turn, Call call) throws Exception {
        Latencies latencies = times(turn.end(), call);
        return new double[] {latencies.micros(MEDIAN), latencies.micros(WORST)};
    }

    /** The 99th percentile of echoes alone, and while an array is under way over and over again. */
    static double[] besideBulk(CallTurn turn, double[] values) throws Exception {
        double alone = times(turn.end(), i -> Checks.echo(turn.caller(), i)).micros(WORST);
        AtomicBoolean enough = new AtomicBoolean();
        Future<Integer> bulk = turn.threads().submit(() -> {
            int sent = 0;
            while (!enough.get()) {
                Checks.ends(turn.other(), values);
                sent++;
            }
            return sent;
        });
        try {
            double during =
                    times(turn.end(), i -> Checks.echo(turn.caller(), i)).micros(WORST);
            return new double[] {alone, during};
        } finally {
            enough.set(true);
            int unused = bulk.get();
        }
    }

    private static Latencies times(long end, Call call) throws Exception {
        Latencies latencies = new Latencies();
        long begin = System.nanoTime();
        while (begin - end < 0 || latencies.count() < FEWEST) {
            call.make(latencies.count());
            long now = System.nanoTime();
            latencies.add(now - begin);
            begin = now;
        }
        return latencies;
    }
}
