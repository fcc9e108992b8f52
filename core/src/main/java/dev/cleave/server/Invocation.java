package dev.cleave.server;

import dev.cleave.CallContext;
import dev.cleave.CallException;
import dev.cleave.DeadlineException;
import dev.cleave.call.Failures;
import dev.cleave.call.Link;
import dev.cleave.call.Remembered;
import dev.cleave.call.RemoteMethod;
import dev.cleave.call.Stub;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.config.Aggregate;
import dev.cleave.intercept.ContextCarrier;
import dev.cleave.later.LaterArguments;
import dev.cleave.metrics.FlightRecording;
import dev.cleave.ref.References;
import dev.cleave.serial.ValueWriter;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** One call at the server, from its request to its one answer. */
public final class Invocation extends CallWithArguments implements Worker.Task {

    private static final String LACKS = "not executed: a result that it needs is not kept";

    /**
     * The origin of a call.
     *
     * @param link over which it has come
     * @param head of its request
     * @param references told what is sent back
     */
    record Origin(Link link, RequestHead head, References references) {}

    private final Answer answer;
    private final Turn turn;
    private final References references;
    private boolean running; // on a worker, from beginning to end
    private boolean isGivenUp; // guarded by hand()
    private volatile @Nullable ServedContext context; // written under hand()

    /** Takes over {@code frame}, whose reader index is at the arguments. */
    Invocation(Origin origin, ByteBuf frame, Exported exported, RemoteMethod method) {
        super(origin.link(), origin.head(), frame, exported, method);
        references = origin.references();
        answer = new Answer(this, references);
        turn = new Turn(this);
    }

    /** Resets the object for another call of the node; only if the last one {@linkplain #isOver is over}. */
    Invocation again(Link from, RequestHead head, ByteBuf frame, Exported ofTarget, RemoteMethod called) {
        receive(from, head, ofTarget, called);
        takes(frame);
        turn.again();
        running = false;
        return this;
    }

    @Override
    public CallContext context() {
        synchronized (hand()) {
            ServedContext known = context;
            if (known == null) {
                known = new ServedContext(
                        exported().publicName(), method(), link(), peer(), attachments(), references, remainingNanos());
                context = known;
                if (isGivenUp) {
                    known.givenUp();
                }
            }
            return known;
        }
    }

    @Override
    public void givenUp() {
        ServedContext known;
        synchronized (hand()) {
            isGivenUp = true;
            known = context;
        }
        if (known != null) {
            known.givenUp();
        }
    }

    @Override
    public void waits(long waitsFor, Thread by) {
        SerialGate gate = turn.gate();
        if (gate != null) {
            gate.waits(this, waitsFor, by);
        }
    }

    @Override
    public void goesOn() {
        SerialGate gate = turn.gate();
        if (gate != null) {
            gate.goesOn(this);
        }
    }

    /** Whether its priority is not known yet. */
    boolean isToBeRated() {
        return !areRead()
                && turn.gate() == null
                && !isRated()
                && exported().order().ratings().rates(method());
    }

    /**
     * Reads the arguments and computes the priority. On a worker, before it can be run; not if it has been given up.
     */
    void rate() {
        if (!hand().beginRating()) {
            return;
        }
        try {
            if (!complete()) {
                leaveQueue();
                refuse(ErrorCode.CANCELLED, LACKS);
                link().flush();
                return;
            }
            ratedAs(exported().order().ratings().rate(method(), readAhead()));
            if (hand().endRating()) {
                return;
            }
            leaveQueue();
            refuse(ErrorCode.CANCELLED, "cancelled before it began");
        } catch (Throwable e) { // values that cannot be read, or an expression that throws an Error
            leaveQueue();
            refuseUnread(e);
        }
        link().flush();
    }

    private void leaveQueue() {
        hand().refuse();
        dispatcher().release(this);
    }

    /** Returns the writer of the result: the method has returned. */
    public ValueWriter result() {
        comesTo(Phase.RESULT);
        return beginReply();
    }

    /** Answers with the result of the method, which has returned, and with what it has changed in its arguments. */
    public void answerRestoring(@Nullable Object result) {
        comesTo(Phase.RESULT);
        Object answer = restoring(result);
        beginReply().putObject(answer);
    }

    private ValueWriter beginReply() {
        ArgumentStream known = stream();
        if (known != null) {
            known.ends();
        }
        return answer.begin();
    }

    /** The method has returned a future, whose result is that of the call. */
    public void future(@Nullable CompletionStage<?> stage) {
        comesTo(Phase.FUTURE);
        if (stage == null) {
            throw new NullPointerException(label() + " returned null (expected: a future)");
        }
        if (stage instanceof Future<?> cancellable && !cancellable.isDone()) {
            context().onCancel(() -> cancellable.cancel(true));
        }
        dispatcher().returned(this);
        stage.whenComplete((value, thrown) -> {
            dispatcher().completed(this);
            if (thrown != null) {
                Throwable cause =
                        thrown instanceof java.util.concurrent.CompletionException && thrown.getCause() != null
                                ? thrown.getCause()
                                : thrown;
                answer(cause);
                closeStream();
                link().flush();
                return;
            }
            try {
                beginReply().putObject(value); // still a future for its worker: answered here, once
                finish();
            } catch (Throwable e) { // user code: methods of the value
                resultFailed(e);
            }
            closeStream();
            link().flush();
        });
    }

    @Override
    Turn turn() {
        return turn;
    }

    /** Whether it has ended and no other thread refers to it. Only if it has run at once. */
    boolean isOver() {
        ArgumentStream known = stream();
        return phase() != Phase.FUTURE && turn.isFree() && (known == null || !known.isKept()) && context == null;
    }

    /** Flushes the answer, or leaves it buffered as the aggregate of the method says. Only after {@link #run}. */
    void flush() {
        Aggregate gathered = method().conduct().traffic().aggregate();
        if (gathered == null || isAwaited()) {
            link().flush();
        } else {
            link().gathered(answer.size(), gathered);
        }
    }

    boolean isInline() {
        ArgumentStream known = stream();
        return exported().order().inline().has(method()) && (known == null || known.isComplete());
    }

    /** Answers that its time is over. Only after {@link #claim}. */
    void expire() {
        refuse(
                ErrorCode.DEADLINE,
                "deadline passed after " + waitedNanos() / 1_000_000 + " ms in the queue of the server");
    }

    /** Runs the method at the time {@code now} and writes the answer, without flushing. Only after {@link #claim}. */
    void run(long now) {
        if (isLateAt(now) && !link().isClosed()) {
            running = true;
            expire();
            return;
        }
        runInTime();
    }

    /** Runs a call that has just arrived, as {@link #run}. */
    void runInTime() {
        running = true;
        if (link().isClosed()) {
            drop();
            return;
        }
        if (!complete()) {
            refuse(ErrorCode.CANCELLED, LACKS);
            return;
        }
        Remembered memory = memory();
        if (memory != null && !memory.begins(id())) {
            drop();
            return;
        }
        link().begins(service(), peer(), id());
        try {
            invoke();
            if (phase() == Phase.RESULT) {
                finish();
            }
        } catch (Throwable e) { // user code: the method may throw anything, and that is its outcome
            answer(e);
        } finally {
            if (phase() != Phase.FUTURE) {
                closeStream();
            }
            endReading();
        }
    }

    @SuppressWarnings("try") // the method finds what is handed over through its thread
    private void invoke() throws Throwable {
        Exported.Targets targets = exported().targets();
        ContextCarrier.Scope restored = targets.around().restore(attachments().texts());
        RunningCall ofRmi = method().plan().isFormatted()
                ? RunningCall.begin(targets.object(), link().connection().peer().host())
                : null;
        ServedEvent recorded = FlightRecording.isPossible() && ServedEvent.isWanted()
                ? ServedEvent.begins(service(), method().method().getName(), waitedNanos())
                : null;
        try (LaterArguments.Handover handed = handOver()) {
            exported().skeleton().invoke(method().index(), targets.called(), this);
        } catch (UndeclaredThrowableException e) {
            throw targets.called() == targets.object() ? e : Interception.thrown(e);
        } finally {
            if (recorded != null) {
                recorded.ends();
            }
            if (ofRmi != null) {
                ofRmi.end();
            }
            restored.end();
            if (!hand().ends()) {
                boolean unused = Thread.interrupted(); // the interrupt of a call that was given up ends with its method
            }
        }
    }

    /** Answers that the call was not executed. Only after {@link #claim}. */
    void refuse(ErrorCode code, String why) {
        releaseRequest();
        answer.fail(code, Execution.NOT, why);
        answered(Execution.NOT, false);
    }

    /** Lets the call go without an answer. Only after {@link #claim}. */
    void drop() {
        releaseRequest();
        answered(Execution.NOT, false);
    }

    private void answered(Execution execution, boolean hasResult) {
        ServedContext known = context;
        if (known != null) {
            known.answered();
        }
        turn.ended(execution, hasResult, running && phase() != Phase.FUTURE);
    }

    private void finish() {
        if (turn.isInChain() && isLate()) {
            // The caller of the chain has turned away by now: what is behind the call must not run.
            answer.drop();
            answerExecuted(ErrorCode.DEADLINE, "deadline passed while the method ran");
            return;
        }
        answer.finish(turn);
        answered(Execution.EXECUTED, true);
    }

    private void answer(Throwable e) {
        try {
            failed(e);
        } catch (Throwable worse) { // user code: what the exception says of itself
            answerExecuted(
                    ErrorCode.INTERNAL,
                    e.getClass().getName() + " was thrown, which cannot be sent: "
                            + worse.getClass().getName() + ": " + SafeLog.text(worse));
        }
    }

    private void refuseUnread(Throwable e) {
        try {
            failed(e);
        } catch (Throwable worse) { // user code: what the exception says of itself
            refuse(ErrorCode.INTERNAL, "arguments: " + e.getClass().getName());
        }
    }

    /**
     * Answering has thrown: tells the caller in a few bytes, and where these cannot be had either, closes the
     * connection, so that the caller does not wait for its deadline.
     */
    void unanswered(Throwable e) {
        try {
            answer.drop();
            answerExecuted(
                    ErrorCode.INTERNAL,
                    "the answer could not be written: " + e.getClass().getName());
        } catch (Throwable worse) { // no memory, say
            link().close();
        }
    }

    private void failed(Throwable e) {
        switch (phase()) {
            case ARGUMENTS -> {
                ErrorCode code = e instanceof RuntimeException r ? Failures.code(r) : ErrorCode.INTERNAL;
                refuse(code == ErrorCode.INTERNAL ? ErrorCode.PROTOCOL : code, "arguments: " + SafeLog.text(e));
            }
            case RUNNING, FUTURE -> {
                ArgumentStream known = stream();
                ErrorCode late = known == null ? null : known.codeOf(e);
                if (late != null) { // it is our own failure that the method let pass
                    answerExecuted(late, String.valueOf(e.getMessage()));
                } else if (e instanceof DeadlineException && isLate()) { // of a call that it made, and so of its own
                    answerExecuted(ErrorCode.DEADLINE, String.valueOf(e.getMessage()));
                } else if (exported().target() instanceof Stub && e instanceof CallException failure) {
                    forwardingFailed(failure); // we only stand in for another node
                } else {
                    answer.threw(e);
                    answered(Execution.EXECUTED, false);
                }
            }
            case RESULT -> resultFailed(e);
        }
    }

    private void forwardingFailed(CallException failure) {
        Execution execution =
                failure.notExecuted() ? Execution.NOT : failure.maybeExecuted() ? Execution.MAYBE : Execution.EXECUTED;
        answer.fail(Failures.code(failure), execution, String.valueOf(failure.getMessage()));
        answered(execution, false);
    }

    private void resultFailed(Throwable e) {
        answer.drop();
        ErrorCode code = e instanceof RuntimeException r ? Failures.code(r) : ErrorCode.INTERNAL;
        answerExecuted(code, SafeLog.text(e));
    }

    private void answerExecuted(ErrorCode code, String why) {
        answer.fail(code, Execution.EXECUTED, why);
        answered(Execution.EXECUTED, false);
    }
}
