package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.stream.StreamReceiver;
import dev.cleave.stream.StreamedValue;
import dev.cleave.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/**
 * The stream of a result that its caller has before it is whole. It ends when the result is whole, when its server or connection
 * is gone, or when a streamed value that the result was made from fails; a wait for a part ends at the deadline of the call.
 * Thread-safe.
 */
public final class ResultStream implements StreamedValue.Owner {

    /** What the result is of. */
    public interface Asked {

        /** What is called. */
        RemoteMethod method();

        /** Where the call went, as far as is known. */
        CallSite site();

        /** The time by which the call must have ended, as {@link System#nanoTime}; 0 if that has not begun. */
        long deadlineAt();
    }

    private final Asked call;
    private final Runnable cancelling;
    private final StreamReceiver receiver;

    @GuardedBy("this")
    private List<Runnable> ends = new ArrayList<>();

    @GuardedBy("this")
    private boolean ended;

    private volatile Runnable beforeItIsUsed = () -> {};

    /**
     * Creates one that is not watched yet.
     *
     * @param cancelling tells the server that what is missing is not wanted
     */
    ResultStream(Asked call, StreamReceiver receiver, Runnable cancelling) {
        this.call = requireNonNull(call, "call");
        this.cancelling = requireNonNull(cancelling, "cancelling");
        this.receiver = requireNonNull(receiver, "receiver");
    }

    /** Watches the stream from now on; the call has its outcome. */
    void begin() {
        for (StreamedValue value : receiver.values()) {
            value.onArrival(() -> {
                if (value.failure() != null) {
                    end();
                }
            });
        }
        receiver.whenComplete(this::end);
    }

    /** The relayed server, or 0. */
    int peer() {
        return receiver.peer();
    }

    /** Runs a task when the stream has ended, or now if so. On any thread: it may not block. */
    public void whenEnded(Runnable task) {
        synchronized (this) {
            if (!ended) {
                ends.add(task);
                return;
            }
        }
        task.run();
    }

    /** Sets the task that the thread which takes the result runs before it goes on. */
    public void beforeItIsUsed(Runnable task) {
        beforeItIsUsed = task;
    }

    /** The program takes the result. */
    void used() {
        beforeItIsUsed.run();
    }

    /** Ends the stream: its server sends no more. */
    void fail(ErrorCode code, String why) {
        receiver.close(code, why);
    }

    /** Ends the stream, and cancels the call at its server: a value that the result is made from has failed. */
    public void giveUp(ErrorCode code, String why) {
        fail(code, why);
        cancelling.run();
    }

    private void end() {
        List<Runnable> tasks;
        synchronized (this) {
            ended = true;
            tasks = ends;
            ends = List.of();
        }
        receiver.close();
        tasks.forEach(Runnable::run);
    }

    @Override
    public long remainingNanos() {
        long deadline = call.deadlineAt();
        return deadline == 0 ? call.method().conduct().deadline().toNanos() : deadline - System.nanoTime();
    }

    @Override
    public RuntimeException failed(ErrorCode code, String why) {
        return Failures.exception(code, Execution.EXECUTED, "result: " + why, call.site(), null);
    }
}
