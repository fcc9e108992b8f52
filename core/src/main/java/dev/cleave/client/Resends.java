package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SerialExecutor;
import dev.cleave.concurrent.Timer;
import dev.cleave.replica.HedgeBudget;
import dev.cleave.replica.RetryBudget;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;

/**
 * Runs what sends calls again, which may wait for a connection: one task at a time, in the order given, as soon as the
 * {@link RetryBudget} allows it. Thread-safe.
 */
final class Resends implements AutoCloseable {

    private final ExecutorService threads;
    private final SerialExecutor inOrder;
    private final SerialExecutor recalls;
    private final SerialExecutor relayedRecalls;
    private final Timer timer;
    private final RetryBudget budget;
    private final HedgeBudget hedgeBudget = new HedgeBudget();
    private final LongAdder hedges = new LongAdder();
    private final LongAdder hedgesWon = new LongAdder();
    private final LongAdder ahead = new LongAdder();
    private final LongAdder aheadEnded = new LongAdder();
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet(); // for their time

    /** Creates one that stops the threads when it is closed. */
    Resends(ExecutorService threads, Timer timer, RetryBudget budget) {
        this.threads = requireNonNull(threads, "threads");
        this.timer = requireNonNull(timer, "timer");
        this.budget = requireNonNull(budget, "budget");
        inOrder = new SerialExecutor(threads);
        recalls = new SerialExecutor(threads);
        relayedRecalls = new SerialExecutor(threads);
    }

    /**
     * Runs a task that sends a call again.
     *
     * @param made how often the call has been sent
     * @param late told in its place if the node is closed while the task waits
     * @throws RejectedExecutionException if the node is closed; then neither runs
     */
    void submit(int made, Runnable task, Consumer<RejectedExecutionException> late) {
        if (threads.isShutdown()) {
            throw new RejectedExecutionException("the node is closed");
        }
        long wait = budget.take(made);
        if (wait == 0) {
            inOrder.execute(task);
            return;
        }
        later(Duration.ofNanos(wait), () -> inOrder.execute(task), late);
    }

    /** Whether a call may be sent again now, and need not wait until others that are have become fewer. */
    boolean mayNow() {
        return budget.hasToken();
    }

    /**
     * Gives a task to one of these executors when a time has passed.
     *
     * @param hand may throw RejectedExecutionException
     * @param late told in its place, once, if the node is closed before; perhaps at once, and by the thread that closes
     */
    void later(Duration wait, Runnable hand, Consumer<RejectedExecutionException> late) {
        Waiting one = new Waiting(hand, late);
        waiting.add(one);
        Timer.Timeout unused = timer.schedule(wait, one);
        if (threads.isShutdown()) {
            one.giveUp(); // the timer may have been closed before
        }
    }

    /**
     * Runs a task that sends a call for the first time where it has not been: no budget limits that.
     *
     * @throws RejectedExecutionException if the node is closed
     */
    void submitNow(Runnable task) {
        inOrder.execute(task);
    }

    /**
     * Runs a task that sends a call to one more replica, if the budget of those allows that now.
     *
     * @throws RejectedExecutionException if the node is closed
     */
    void hedge(Runnable task) {
        if (hedgeBudget.tryTake()) {
            inOrder.execute(task);
        }
    }

    /** A call has been made that may be sent to one more replica. */
    void mayHedge() {
        hedgeBudget.called();
    }

    /** A call has been sent to one more replica. */
    void hedged() {
        hedges.increment();
    }

    /** That one has answered first. */
    void hedgeWon() {
        hedgesWon.increment();
    }

    /** A call is sent before the program has come to its place. */
    void sentAhead() {
        ahead.increment();
    }

    /** Such a call has ended. */
    void endedAhead() {
        aheadEnded.increment();
    }

    /** How many such calls the node has sent. */
    long sentSoFar() {
        return ahead.sum();
    }

    /** Whether such calls are in flight. */
    boolean areAhead() {
        long ended = aheadEnded.sum();
        return ahead.sum() != ended;
    }

    /** How many calls have been sent to one more replica because they took long. */
    long hedges() {
        return hedges.sum();
    }

    /** How many of them that one has answered first. */
    long hedgesWon() {
        return hedgesWon.sum();
    }

    /**
     * Runs a task that asks what has become of a call, beside those that send calls.
     *
     * @param relayed whether it asks the broker, for which it may have to wait
     * @throws RejectedExecutionException if the node is closed
     */
    void recall(Runnable task, boolean relayed) {
        (relayed ? relayedRecalls : recalls).execute(task);
    }

    /** No task begins any more; those whose time has not come are told. */
    @Override
    public void close() {
        threads.shutdown();
        waiting.forEach(Waiting::giveUp);
    }

    private final class Waiting implements Runnable {

        private final Runnable hand;
        private final Consumer<RejectedExecutionException> late;

        private Waiting(Runnable hand, Consumer<RejectedExecutionException> late) {
            this.hand = hand;
            this.late = late;
        }

        @Override
        public void run() {
            if (waiting.remove(this)) {
                try {
                    hand.run();
                } catch (RejectedExecutionException e) {
                    late.accept(e);
                }
            }
        }

        private void giveUp() {
            if (waiting.remove(this)) {
                late.accept(new RejectedExecutionException("the node is closed"));
            }
        }
    }
}
