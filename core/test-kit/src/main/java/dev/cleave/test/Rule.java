package dev.cleave.test;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of the calls of a method at the server. Each method sets it for calls that begin from then on, in place of what was
 * set before. May be used by any thread.
 */
public final class Rule {

    /** The longest time that a held call waits. */
    static final Duration PATIENCE = Duration.ofSeconds(20);

    private final CountDownLatch ended;
    private final Pause pause;
    private volatile Predicate<List<@Nullable Object>> concerned = arguments -> true;
    private volatile Before before = call -> {};

    Rule(CountDownLatch ended, Pause pause) {
        this.ended = ended;
        this.pause = pause;
    }

    /** Waits by the clock of the services until a time has passed since another one, in nanoseconds. */
    @FunctionalInterface
    interface Pause {

        void since(long nanos, Duration time) throws InterruptedException;
    }

    /** What happens before a call is executed. */
    @FunctionalInterface
    private interface Before {

        void run(Call call) throws Throwable;
    }

    /** Limits the rule to calls with certain arguments. */
    public Rule with(Predicate<List<@Nullable Object>> arguments) {
        concerned = requireNonNull(arguments, "arguments");
        return this;
    }

    /** Executes each call that much later, by the clock that {@link CleaveServices#advance} sets forward. */
    public void takes(Duration time) {
        before = call -> pause.since(call.began(), time);
    }

    /** Throws in place of executing calls. */
    public void fails(Supplier<? extends Throwable> failure) {
        before = call -> {
            throw failure.get();
        };
    }

    /** Throws in place of executing the first calls, and executes the later ones. */
    public void failsFirst(int calls, Supplier<? extends Throwable> failure) {
        AtomicInteger left = new AtomicInteger(calls);
        before = call -> {
            if (left.getAndDecrement() > 0) {
                throw failure.get();
            }
        };
    }

    /**
     * Executes no call before that many calls have come: shows that a program does not wait for one result before it sends the
     * next call. A call fails if the others have not come after 20 s.
     */
    public void together(int calls) {
        CountDownLatch all = new CountDownLatch(calls);
        before = call -> {
            all.countDown();
            if (!waitFor(all, PATIENCE)) {
                throw new IllegalStateException("only " + (calls - all.getCount()) + " of " + calls
                        + " calls had come after " + PATIENCE.toSeconds()
                        + " s: the program waits for a result before it sends the next call");
            }
        };
    }

    /** Never answers: a caller has its deadline, and the server's thread is interrupted then. */
    public void hangs() {
        before = call -> {
            ended.await();
            throw new IllegalStateException("the services are closed");
        };
    }

    /** Executes calls as if there were no rule. */
    public void ends() {
        before = call -> {};
    }

    void apply(Call call) throws Throwable {
        if (concerned.test(call.arguments())) {
            before.run(call);
        }
    }

    private static boolean waitFor(CountDownLatch latch, Duration time) throws InterruptedException {
        return latch.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }
}
