package dev.cleave.jmh.concurrent;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.concurrent.Timer;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does the deadline of a call cost that ends in time, while this many others are under way?
 *
 * <p>Run: {@code bin/cleave jmh TimerBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class TimerBenchmark {

    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** How many are under way. */
    @Param({"64", "100000"})
    public int underWay = 64;

    private final Queue<Timer.Timeout> pending = new ArrayDeque<>();
    private final SystemTimer timer = SystemTimer.create("timer-benchmark");

    /** Lets them begin. */
    @Setup
    public void begin() {
        for (int i = 0; i < underWay; i++) {
            pending.add(timer.scheduleAt(timer.nanos() + DEADLINE_NANOS, this::expired));
        }
    }

    /** Ends the timer. */
    @TearDown
    public void close() {
        timer.close();
    }

    /** One begins, and the oldest ends. */
    @Benchmark
    public boolean beginAndEnd() {
        pending.add(timer.scheduleAt(timer.nanos() + DEADLINE_NANOS, this::expired));
        return pending.remove().cancel();
    }

    private void expired() {
        throw new IllegalStateException("a deadline of 30 s has passed");
    }
}
