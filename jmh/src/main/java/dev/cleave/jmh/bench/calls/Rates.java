package dev.cleave.jmh.bench.calls;

/** How many calls, or how much, in a second. */
final class Rates {

    private static final int FEWEST = 4;
    private static final int WINDOWS = 16;
    private static final double MEBIBYTE = 1 << 20;

    private Rates() {}

    /** Makes a call. */
    interface Call {

        void make() throws Exception;
    }

    /** Makes as many calls as it is asked for. */
    interface Calls {

        void make(int count) throws Exception;
    }

    /** Echoes of several threads. */
    static double[] callers(CallTurn turn, int count) throws Exception {
        return new double[] {
            turn.together(count, (caller, end) -> {
                long calls = 0;
                while (System.nanoTime() - end < 0 || calls < FEWEST) {
                    Checks.echo(caller, calls);
                    calls++;
                }
                return calls;
            })
        };
    }

    /** Windows of calls of one thread, some of them at a time without a pause. */
    static double[] windows(CallTurn turn, int window, Calls calls) throws Exception {
        int count = Math.max(1, WINDOWS / turn.effort().divisor()) * window;
        return new double[] {perSecond(turn, 1, calls, count) * count};
    }

    /** MiB a second of calls that move an array; an echo, which moves it twice, counts it once. */
    static double[] bulk(CallTurn turn, int bytes, Call call) throws Exception {
        return new double[] {perSecond(turn, 2, count -> call.make(), 1) * bytes / MEBIBYTE};
    }

    private static double perSecond(CallTurn turn, int fewest, Calls calls, int count) throws Exception {
        long begin = System.nanoTime();
        long end = turn.end();
        int done = 0;
        while (System.nanoTime() - end < 0 || done < fewest) {
            calls.make(count);
            done++;
        }
        return done / ((System.nanoTime() - begin) / 1e9);
    }
}
