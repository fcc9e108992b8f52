package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.stream.StreamReceiver;
import dev.cleave.stream.StreamedValue;
import dev.cleave.wire.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The stream of a result that the caller uses before it is whole. It ends when the result is whole, when its server or
 * connection is gone, or when a streamed value that the result was made from fails; a wait for a part ends at the
 * deadline of the call. Thread-safe.
 */
public final class ResultStream implements StreamedValue.Owner {

    /** The call that the result answers. */
    public interface Asked {

        /** Returns the remote method. */
        RemoteMethod method();

        /** Where the call went, as far as is known. */
        CallSite site();

        /** The time by which the call must have ended, as {@link System#nanoTime}; 0 if that has not begun. */
        long deadlineAt();

        /** How long the call may take. */
        default Duration allowed() {
            return method().conduct().deadline();
        }
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
     * Creates a stream that does not watch its values yet.
     *
     * @param cancelling tells the server that the missing part is not wanted
     */
    ResultStream(Asked call, StreamReceiver receiver, Runnable cancelling) {
        this.call = requireNonNull(call, "call");
        this.cancelling = requireNonNull(cancelling, "cancelling");
        this.receiver = requireNonNull(receiver, "receiver");
    }

    /** Begins to watch the values; the call has its outcome. */
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

    /** Returns the number of the relayed server, or 0. */
    int peer() {
        return receiver.peer();
    }

    /** Runs a task when the stream has ended, or now if it has. May run on any thread: the task may not block. */
    public void whenEnded(Runnable task) {
        synchronized (this) {
            if (!ended) {
                ends.add(task);
                return;
            }
        }
        task.run();
    }

    /** Sets the task that runs when the program takes the result, on the thread that takes it. */
    public void beforeItIsUsed(Runnable task) {
        beforeItIsUsed = task;
    }

    /** Records that the program takes the result. */
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
        return deadline == 0 ? call.allowed().toNanos() : deadline - System.nanoTime();
    }

    @Override
    public RuntimeException failed(ErrorCode code, String why) {
        return Failures.exception(code, Execution.EXECUTED, "result: " + why, call.site(), null);
    }
}
