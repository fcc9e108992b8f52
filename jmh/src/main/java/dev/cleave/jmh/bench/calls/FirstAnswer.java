package dev.cleave.jmh.bench.calls;

import dev.cleave.jmh.bench.cleave.CleaveContender;
import dev.cleave.jmh.bench.contender.Contender;

/** Connects, makes one call, and ends: {@code FirstAnswer SERVICE WHERE}. */
public final class FirstAnswer {

    private static final long VALUE = 42;

    private FirstAnswer() {}

    /** Ends with exit code 0 if the answer is right. */
    public static void main(String[] args) throws Exception {
        Contender contender = CleaveContender.inline(args[0]);
        Contender.Caller caller = contender.connect(args[1]).caller();
        if (caller.echo(VALUE) != VALUE) {
            throw new IllegalStateException("a wrong answer");
        }
        Runtime.getRuntime().halt(0); // what ends a node is not measured
    }
}
