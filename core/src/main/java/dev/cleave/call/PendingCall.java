package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.DeadlineException;
import dev.cleave.Fork;
import dev.cleave.Pending;
import dev.cleave.concurrent.LendingThread;
import dev.cleave.metrics.FlightRecording;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.TimeLimit;
import dev.cleave.transport.WaitCondition;
import dev.cleave.wire.ErrorCode;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A call that has been sent.
 *
 * <h2>One outcome</h2>
 *
 * The first of reply, failure, lost connection, deadline and cancellation wins; all later ones are dropped. Waiting
 * threads stand in a stack, which the outcome closes.
 *
 * <h2>Deadline</h2>
 *
 * The deadline begins at {@link #origin}. A waiting thread watches it itself; for a call without a waiting thread the
 * code that holds its handle calls {@link #expire}.
 *
 * <h2>Interrupts</h2>
 *
 * An interrupt of a thread that awaits the call cancels it, and the thread stays interrupted. Interfaces of {@code
 * java.rmi} are exempt, as their calls always were, and so is a wait for the end of a discarded call.
 */
public abstract class PendingCall extends Handle implements Pending<Object>, Waiting, Fork.Discarded {

    /** The reason of the failure of a call whose waiting thread is interrupted. */
    protected static final String INTERRUPTED = "cancelled: the calling thread is interrupted";

    private static final VarHandle OUTCOME;
    private static final VarHandle WAITERS;
    private static final VarHandle DEADLINE_AT;

    static {
        try {
            OUTCOME = MethodHandles.lookup().findVarHandle(PendingCall.class, "outcome", Outcome.class);
            WAITERS = MethodHandles.lookup().findVarHandle(PendingCall.class, "waiters", Object.class);
            DEADLINE_AT = MethodHandles.lookup().findVarHandle(PendingCall.class, "deadlineAt", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final RemoteMethod method;
    private volatile @Nullable Outcome outcome;
    private volatile @Nullable Object waiters; // null, the only thread that waits, a Waiter, or an End
    private volatile long deadlineAt; // nanoTime; 0 = has not begun

    private boolean isWithdrawn; // the discarding thread only

    /** Takes the place of the waiting threads and tasks when the call has ended. */
    private enum End {
        /** The thread that ends the call is still working on it. */
        COMING,
        /** The thread that ended the call uses it no more, and no task was told of the end. */
        COME,
        /** Tasks were told of the end, and may refer to the call for any time. */
        TOLD
    }

    /**
     * A thread that waits, or a task that runs at the end.
     *
     * @param next the waiter before this one: a thread, another Waiter, or null
     */
    private record Waiter(Object it, @Nullable Object next) {}

    /** Creates a call that has no outcome yet and whose deadline has not begun. */
    protected PendingCall(RemoteMethod method) {
        this.method = requireNonNull(method, "method");
        BlockedTime.OF_PROCESS.called();
    }

    /** The caller no longer wants the result; tells the server. */
    public abstract void withdraw();

    /** Where the call went, as far as is known. */
    public abstract CallSite site();

    /** Says that the call has ended; called once. The request kept for a retry is no longer needed. */
    protected abstract void ended();

    /**
     * Returns the call that replaces this one at an await, if the server did not execute this one or may not have
     * executed it; null if none does. Returns the same call each time.
     */
    protected @Nullable PendingCall anew(ErrorCode why) {
        return null;
    }

    /** How the call has ended; null if it has not. */
    protected @Nullable Outcome outcome() {
        return outcome;
    }

    /** Why the call has failed, for a log; null if it has not. */
    public @Nullable String failure() {
        if (outcome instanceof Outcome.Failed failed) {
            return failed.message();
        }
        return outcome instanceof Outcome.Thrown ? "the method threw" : null;
    }

    /** Whether it is certain that its server has no result of it, and will have none: it threw, or was not executed. */
    public boolean hasCertainlyFailed() {
        Outcome known = outcome;
        return known != null
                && !known.isResult()
                && !(known instanceof Outcome.Failed failed && !failed.isNotExecuted());
    }

    @Override
    public boolean isUnanswered() {
        return outcome instanceof Outcome.Failed;
    }

    @Override
    public boolean wasOverload() {
        return outcome instanceof Outcome.Failed failed && failed.code() == ErrorCode.OVERLOAD;
    }

    /** How long the call may take. */
    public Duration allowed() {
        return method.conduct().deadline();
    }

    /** The observers of the call; null if there are none. */
    protected @Nullable Observation observation() {
        return null;
    }

    /** Whether the call was sent before the program had come to its place. */
    protected boolean wasSentAhead() {
        return false;
    }

    /** Whether the call has ended and was certainly not executed. */
    public boolean wasNotExecuted() {
        return outcome instanceof Outcome.Failed failed && failed.isNotExecuted();
    }

    /** Takes over the deadline of another call whose place has been reached; returns it. */
    protected long beginAs(PendingCall other) {
        other.origin();
        deadlineAt = other.deadlineAt;
        return deadlineAt;
    }

    /** Returns the remote method. */
    public RemoteMethod method() {
        return method;
    }

    /** The time of the clock by which deadlines pass; {@link System#nanoTime}, or ahead of it. */
    protected long nanos() {
        return System.nanoTime();
    }

    /** The time by which the call must have ended, by the clock of deadlines; 0 if that has not begun. */
    public long deadlineAt() {
        return deadlineAt;
    }

    @Override
    public void origin() {
        if (deadlineAt == 0) {
            deadlineAt = nanos() + allowed().toNanos() | 1;
        }
    }

    /** Begins the deadline, as {@link #origin}, of a call that only the current thread refers to. */
    public void originAlone() {
        if ((long) DEADLINE_AT.get(this) == 0) {
            DEADLINE_AT.setOpaque(this, nanos() + allowed().toNanos() | 1); // other threads see it through the link
        }
    }

    @Override
    public void wakes(Thread thread) {
        push(thread);
    }

    @Override
    public boolean awaitOr(WaitCondition other, long since) {
        if (outcome != null) {
            return true;
        }
        origin();
        waiting();
        return Wait.untilEither(this, other, since, deadlineAt);
    }

    @Override
    public void linger(WaitCondition other, long atNanos) {
        WaitCondition either = () -> isDone() || other.isDone();
        if (!either.isDone() && !(Thread.currentThread() instanceof LendingThread)) { // which has a slot to lend
            waiting();
            block(either, atNanos);
        }
    }

    @Override
    public void hurry() {
        if (outcome == null) {
            waiting();
        }
    }

    @Override
    public boolean isDone() {
        return outcome != null;
    }

    /** Ends the call because it failed; false if it has ended before. */
    public boolean fail(ErrorCode code, Execution execution, String message, @Nullable Throwable cause) {
        return end(new Outcome.Failed(code, execution, message, cause));
    }

    /** Ends the call; false if it has ended before. */
    public boolean end(Outcome how) {
        if (!method.conduct().changesNothing()) {
            Epoch.changing(method.conduct().group()); // before another thread can see that the call has ended
        }
        if (!OUTCOME.compareAndSet(this, null, how)) {
            return false;
        }
        Object last = WAITERS.getAndSet(this, End.COMING);
        boolean isUntold = last == null || last instanceof Thread;
        while (last instanceof Waiter waiter) {
            Wait.wake(waiter.it());
            last = waiter.next();
        }
        Wait.wake(last);
        ended();
        if (isUntold) {
            WAITERS.compareAndSet(this, End.COMING, End.COME); // publishes the writes of this thread
        }
        return true;
    }

    /**
     * Whether the call has ended with a result, and only the current thread, which has awaited it, refers to it.
     */
    protected boolean isAlone() {
        return waiters == End.COME && outcome instanceof Outcome.Result;
    }

    /**
     * Resets the object for another call of the method; only if it {@linkplain #isAlone is alone}. Other threads see
     * it again through its link.
     */
    protected void renew() {
        isWithdrawn = false;
        DEADLINE_AT.set(this, 0L);
        WAITERS.set(this, null);
        OUTCOME.set(this, null);
    }

    @Override
    public boolean hasAnswer() {
        Outcome known = outcome;
        if (known == null) {
            known = untilItsEnd();
        }
        return known.isAnswer();
    }

    @Override
    public void awaitVoid() throws Throwable {
        result();
    }

    @Override
    public int awaitInt() throws Throwable {
        return (int) result().bits();
    }

    @Override
    public long awaitLong() throws Throwable {
        return result().bits();
    }

    @Override
    public float awaitFloat() throws Throwable {
        return Float.intBitsToFloat((int) result().bits());
    }

    @Override
    public double awaitDouble() throws Throwable {
        return Double.longBitsToDouble(result().bits());
    }

    @Override
    @SuppressWarnings("NullAway") // Handle and Pending differ about null; a remote method may return it
    public @Nullable Object await() {
        try {
            return boxed(result());
        } catch (Throwable e) {
            throw Failures.<RuntimeException>sneak(e);
        }
    }

    @Override
    @SuppressWarnings("NullAway") // a remote method may return null
    public @Nullable Object await(Duration atMost) {
        if (atMost.isNegative() || atMost.isZero()) {
            throw new IllegalArgumentException("atMost: " + atMost + " (expected: positive)");
        }
        if (!waitUntil(System.nanoTime() + atMost.toNanos())) {
            throw new DeadlineException(
                    method.label() + ": no result within " + atMost + " (the call goes on)",
                    Execution.MAYBE_EXECUTED,
                    site(),
                    null);
        }
        return await();
    }

    @Override
    public boolean cancel() {
        if (!cancel("cancelled by the caller")) {
            return false;
        }
        Observation told = observation();
        if (told != null) {
            told.givenUp();
        }
        return true;
    }

    private boolean cancel(String why) {
        boolean ends = fail(ErrorCode.CANCELLED, Execution.MAYBE_EXECUTED, why, null);
        if (ends) {
            withdraw();
        }
        return ends;
    }

    @Override
    public void interrupted() {
        if (!isWithdrawn && !method.ignoresInterrupts()) {
            cancel(INTERRUPTED);
        }
    }

    @Override
    public CompletableFuture<Object> toCompletableFuture() {
        CallFuture future = new CallFuture(this);
        onEnd(() -> future.completeBy(() -> complete(future)));
        return future;
    }

    /**
     * The same, but where the method has answered the thread that ends the call completes it: the tasks that depend on it are those
     * of a node, and may not block.
     */
    public final CompletableFuture<Object> toPromptFuture() {
        CallFuture future = new CallFuture(this);
        onEnd(() -> {
            if (hasAnswer()) {
                complete(future);
            } else {
                future.completeBy(() -> complete(future));
            }
        });
        return future;
    }

    @Override
    public void withdrawn() {
        if (isWithdrawn || isDone()) {
            return;
        }
        isWithdrawn = true;
        if (method.conduct().idempotent()) {
            cancel();
            return;
        }
        origin();
        withdraw();
    }

    @Override
    public void discard() {
        Observation told = observation();
        if (told != null) {
            told.givenUp();
        }
        if (isDone()) {
            return;
        }
        withdrawn();
        if (isDone()) {
            return;
        }
        waiting();
        waitUntil(deadlineAt);
        fail(ErrorCode.DEADLINE, Execution.MAYBE_EXECUTED, "discarded, and no word from the server", null);
    }

    /** Fails the call if its deadline has passed; for calls without a waiting thread. */
    public void expire() {
        if (deadlineAt != 0 && nanos() - deadlineAt >= 0) {
            passDeadline();
        }
    }

    /**
     * Runs a task when the call has ended, or at once. Runs on the thread that ends the call: the task may not block.
     */
    public void onEnd(Runnable task) {
        if (!push(task)) {
            waiters = End.TOLD;
            task.run();
        }
    }

    private void complete(CompletableFuture<Object> future) {
        try {
            future.complete(boxed(result()));
        } catch (Throwable e) { // what the remote method threw may be anything
            future.completeExceptionally(e);
        }
    }

    /** The boxed result of the method's own type. */
    private @Nullable Object boxed(Outcome.Result result) {
        long bits = result.bits();
        Class<?> type = method.method().getReturnType();
        return !type.isPrimitive() || type == void.class ? result.value() : Primitives.box(type, bits);
    }

    private Outcome.Result result() throws Throwable {
        Observation told = observation();
        if (told == null) {
            return awaited();
        }
        told.reached();
        try {
            Outcome.Result result = awaited();
            told.ended(boxed(result), null);
            return result;
        } catch (Throwable e) { // what the remote method threw may be anything
            told.ended(null, e);
            throw e;
        }
    }

    private Outcome.Result awaited() throws Throwable {
        Outcome known = outcome;
        if (known != null && wasSentAhead() && Thread.currentThread().isInterrupted() && !method.ignoresInterrupts()) {
            throw failure(new Outcome.Failed(ErrorCode.CANCELLED, Execution.MAYBE_EXECUTED, INTERRUPTED, null));
        }
        boolean hasWaited = known == null;
        if (known == null) {
            known = untilItsEnd();
        }
        if (known instanceof Outcome.Result result) {
            return result;
        }
        if (known instanceof Outcome.Stayed && isResultUnused()) {
            return Outcome.Result.NOTHING;
        }
        if (known instanceof Outcome.Failed failed && failed.execution() != Execution.EXECUTED) {
            PendingCall again = anew(failed.code());
            if (again != null) {
                return again.awaited();
            }
        }
        // a result that came before the await has a deadline of its own for its decoding
        long until = hasWaited ? deadlineAt : System.nanoTime() + allowed().toNanos();
        return decoded(TimeLimit.at(until));
    }

    /** Blocks until the call has ended, or its deadline has passed, and returns how it ended. */
    private Outcome untilItsEnd() {
        origin();
        WaitedEvent recorded = FlightRecording.isPossible() ? WaitedEvent.begins(method.label()) : null;
        waiting();
        if (!waitUntil(deadlineAt)) {
            passDeadline();
        }
        if (recorded != null) {
            recorded.commit();
        }
        return requireNonNull(outcome);
    }

    /** Whether the program uses a result that stays at its server for nothing but calls that were given it. */
    protected boolean isResultUnused() {
        return false;
    }

    /** Returns the result after the end of the call, and fetches it if it stays at its server. */
    public final @Nullable Object value() throws Throwable {
        Outcome known = outcome;
        if (known instanceof Outcome.Stayed) {
            TimeLimit limit =
                    TimeLimit.at(System.nanoTime() + method.conduct().deadline().toNanos());
            return boxed(decoded(limit));
        }
        return boxed(result());
    }

    /** Names the time that has passed when the call ends for want of time. */
    protected String limit() {
        return "deadline of " + text(allowed());
    }

    private void passDeadline() {
        String took = limit() + " passed";
        if (fail(ErrorCode.DEADLINE, Execution.MAYBE_EXECUTED, took, null)
                && !method.plan().isFormatted()) { // RMI tells the server nothing
            withdraw();
        }
    }

    private synchronized Outcome.Result decoded(TimeLimit limit) throws Throwable {
        Outcome known = requireNonNull(outcome); // another thread may have decoded it
        if (known instanceof Outcome.Result done) {
            return done;
        }
        CallSite site = site();
        try {
            Outcome.Result result = known.decode(limit);
            if (result != null) {
                outcome = result;
                return result;
            }
            if (known instanceof Outcome.Vetoed vetoed) {
                throw vetoed.veto();
            }
            if (known instanceof Outcome.Thrown thrown) {
                throw Failures.forCaller(thrown.decode(site, limit), method, true);
            }
        } catch (SerialException e) {
            known = new Outcome.Failed(Failures.code(e), Execution.EXECUTED, "result: " + e.getMessage(), e);
            if (e.reason() == SerialException.Reason.LATE) { // final: blocks can be taken only once
                outcome = known;
            }
        }
        throw failure((Outcome.Failed) known);
    }

    private Throwable failure(Outcome.Failed how) {
        return Failures.forCaller(
                Failures.exception(how.code(), how.execution(), how.message(), site(), how.cause()), method, false);
    }

    /** Waits for the outcome; returns false if the time came first. */
    private boolean waitUntil(long atNanos) {
        if (outcome != null) {
            return true;
        }
        push(Thread.currentThread());
        return Wait.until(this, atNanos);
    }

    /** Adds a thread, unless the list has it already, or a task; false if the call has ended. */
    private boolean push(Object it) {
        Object head = waiters;
        while (!(head instanceof End)) {
            if (it instanceof Thread && isNoted(it, head)) {
                return true;
            }
            Object next = head == null && it instanceof Thread ? it : new Waiter(it, head);
            if (WAITERS.compareAndSet(this, head, next)) {
                return true;
            }
            head = waiters;
        }
        return false;
    }

    private static boolean isNoted(Object it, @Nullable Object head) {
        Object at = head;
        while (at instanceof Waiter waiter) {
            if (waiter.it() == it) {
                return true;
            }
            at = waiter.next();
        }
        return at == it;
    }

    private static String text(Duration duration) {
        long millis = duration.toMillis();
        return millis >= 1000 && millis % 1000 == 0 ? TimeUnit.MILLISECONDS.toSeconds(millis) + " s" : millis + " ms";
    }
}
