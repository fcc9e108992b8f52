package dev.cleave.jmh.concurrent;

import dev.cleave.concurrent.AgeingQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does it cost to put one call in and to take one out while this many wait, each with a priority?
 *
 * <p>Run: {@code bin/cleave jmh AgeingQueueBenchmark}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class AgeingQueueBenchmark {

    /** How many wait. */
    @Param({"100", "100000"})
    public int waiting = 100;

    private final Random random = new Random(7);
    private AgeingQueue<Job> queue = new AgeingQueue<>();

    private static final class Job extends AgeingQueue.Entry {

        private Job(double priority) {
            priority(priority);
        }
    }

    /** Lets them wait. */
    @Setup(Level.Iteration)
    public void fill() {
        queue = new AgeingQueue<>();
        for (int i = 0; i < waiting; i++) {
            queue.add(new Job(random.nextInt(1_000_000)));
        }
    }

    /** One more comes, one is taken. */
    @Benchmark
    public @Nullable Object inAndOut() {
        queue.add(new Job(random.nextInt(1_000_000)));
        return queue.poll();
    }
}
