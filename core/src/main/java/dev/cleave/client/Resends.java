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
 * Runs tasks that send calls again, and may wait for a connection: one at a time, in the order given, when the {@link
 * RetryBudget} allows it. Thread-safe.
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
    private final Set<Waiting> waiting = ConcurrentHashMap.newKeySet(); // tasks that wait for their time

    /** Creates an executor of retries that shuts the threads down when it is closed. */
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

    /** Whether a call may be sent again now, without waiting for the budget. */
    boolean mayNow() {
        return budget.hasToken();
    }

    /**
     * Runs {@code hand} when a time has passed; it gives a task to one of these executors.
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
     * Runs a task that sends a call to a replica that it was moved to: no budget limits that.
     *
     * @throws RejectedExecutionException if the node is closed
     */
    void submitNow(Runnable task) {
        inOrder.execute(task);
    }

    /**
     * Runs a task that sends a hedge, if the budget of hedges allows it now.
     *
     * @throws RejectedExecutionException if the node is closed
     */
    void hedge(Runnable task) {
        if (hedgeBudget.tryTake()) {
            inOrder.execute(task);
        }
    }

    /** Counts a call that may be hedged. */
    void mayHedge() {
        hedgeBudget.called();
    }

    /** Counts a hedge that was sent. */
    void hedged() {
        hedges.increment();
    }

    /** Counts a hedge that was answered first. */
    void hedgeWon() {
        hedgesWon.increment();
    }

    /** Counts a call that is sent before the program has come to its place. */
    void sentAhead() {
        ahead.increment();
    }

    /** Counts that a call sent ahead has ended. */
    void endedAhead() {
        aheadEnded.increment();
    }

    /** Returns how many calls the node has sent ahead. */
    long sentSoFar() {
        return ahead.sum();
    }

    /** Whether calls sent ahead are in flight. */
    boolean areAhead() {
        long ended = aheadEnded.sum();
        return ahead.sum() != ended;
    }

    /** Returns how many hedges were sent. */
    long hedges() {
        return hedges.sum();
    }

    /** Returns how many hedges were answered first. */
    long hedgesWon() {
        return hedgesWon.sum();
    }

    /**
     * Runs a task that asks for the outcome of a call, in parallel to tasks that send calls.
     *
     * @param relayed whether it asks the broker, for which it may have to wait
     * @throws RejectedExecutionException if the node is closed
     */
    void recall(Runnable task, boolean relayed) {
        (relayed ? relayedRecalls : recalls).execute(task);
    }

    /** Stops: no task begins any more, and tasks whose time has not come are told. */
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
