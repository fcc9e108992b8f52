package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.serial.LateValue;
import dev.cleave.stream.Inflow;
import dev.cleave.wire.ErrorCode;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a call that its caller has before it is whole. It arrives until all of it is there, its server or connection is
 * gone, or something that it was made from fails; whoever waits for a part does so until the deadline of the call. Thread-safe.
 */
public final class ArrivingResult implements LateValue.Owner {

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
    private final Inflow blocks;

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
    ArrivingResult(Asked call, Inflow blocks, Runnable cancelling) {
        this.call = requireNonNull(call, "call");
        this.cancelling = requireNonNull(cancelling, "cancelling");
        this.blocks = requireNonNull(blocks, "blocks");
    }

    /** Watches it from now on; the outcome of its call has been said. */
    void begin() {
        for (LateValue value : blocks.late()) {
            value.onArrival(() -> {
                if (value.failure() != null) {
                    end();
                }
            });
        }
        blocks.whenComplete(this::end);
    }

    /** The relayed server, or 0. */
    int peer() {
        return blocks.peer();
    }

    /** Runs a task when it is whole or arrives no more, or now if so. On any thread: it may not block. */
    public void whenEnded(Runnable task) {
        synchronized (this) {
            if (!ended) {
                ends.add(task);
                return;
            }
        }
        task.run();
    }

    /** Has a task run by the thread that gets it, before that goes on. */
    public void beforeItIsUsed(Runnable task) {
        beforeItIsUsed = task;
    }

    /** The program gets it. */
    void used() {
        beforeItIsUsed.run();
    }

    /** What is missing does not come: so says its server. */
    void fail(ErrorCode code, String why) {
        blocks.close(code, why);
    }

    /** What is missing is not to come: what it is made from has failed. Its server is told. */
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
        blocks.close();
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
