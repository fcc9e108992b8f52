package dev.cleave.jmh.bench.calls;

import dev.cleave.jmh.bench.contender.Contender;
import dev.cleave.jmh.bench.contender.Values;

/** Calls whose answers are checked. */
final class Checks {

    private static final double ENDS = 3; // of an array whose first is 1 and whose last is 2

    private Checks() {}

    static void echo(Contender.Caller caller, long value) throws Exception {
        equal(caller.echo(value), value);
    }

    static void echo(Contender.Caller caller, byte[] value) throws Exception {
        byte[] answer = caller.echo(value);
        equal(answer.length, value.length);
        equal(answer[0], value[0]);
        equal(answer[value.length - 1], value[value.length - 1]);
    }

    static void echoes(Contender.Caller caller, int count, int window) throws Exception {
        equal(caller.echoes(count, window), (long) count * (count - 1) / 2);
    }

    static void echoes(Contender.Caller caller, byte[] value, int count, int window) throws Exception {
        equal(caller.echoes(value, count, window), (long) count * value.length);
    }

    static void ends(Contender.Caller caller, double[] values) throws Exception {
        equal((long) caller.ends(values), (long) ENDS);
    }

    static void doubles(Contender.Caller caller, int count) throws Exception {
        double[] values = caller.doubles(count);
        equal(values.length, count);
        equal((long) Values.ends(values), (long) ENDS);
    }

    private static void equal(long answer, long expected) {
        if (answer != expected) {
            throw new IllegalStateException("answer: " + answer + " (expected: " + expected + ")");
        }
    }
}
