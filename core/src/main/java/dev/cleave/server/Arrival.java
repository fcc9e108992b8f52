package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException;
import dev.cleave.CallException.Execution;
import dev.cleave.call.Failures;
import dev.cleave.serial.ArrivedBlocks;
import dev.cleave.serial.LateValue;
import dev.cleave.stream.Inflow;
import dev.cleave.stream.Outflow;
import dev.cleave.wire.ErrorCode;
import org.jspecify.annotations.Nullable;

/** The large arguments of one call on their way in. Thread-safe. */
final class Arrival implements LateValue.Owner {

    private final Invocation call;
    private final Inflow blocks;
    private final boolean early;
    private final ArrivalRecord record;
    private volatile boolean isKept;
    private volatile @Nullable CallException failure;
    private volatile @Nullable ErrorCode failedWith;

    /**
     * Begins to take them in.
     *
     * @param early whether the method may begin before all have come that are used while they arrive
     */
    Arrival(Invocation call, Inflow blocks, boolean early) {
        this.call = requireNonNull(call, "call");
        this.blocks = requireNonNull(blocks, "blocks");
        this.early = early;
        record = new ArrivalRecord(call.service(), call.method(), early);
        blocks.belongsTo(this);
    }

    /** Whether the method may begin. */
    boolean isReady() {
        return early ? blocks.isReady() : blocks.isComplete();
    }

    /** Whether all have come. */
    boolean isComplete() {
        return blocks.isComplete();
    }

    /** Runs a task when the method may begin, or now if so; never if they are given up before. */
    void whenReady(Runnable task) {
        if (early) {
            blocks.whenReady(task);
        } else {
            blocks.whenComplete(task);
        }
    }

    ArrivedBlocks values() {
        return blocks.blocks();
    }

    /** The method has returned. */
    void ends() {
        record.ends(blocks);
    }

    /** The arguments have been read, the method begins: those that are used while they arrive go on if they may. */
    void read() {
        record.begins();
        if (!early || !blocks.hasLate()) {
            blocks.close();
        }
    }

    /** Nobody wants them any more. */
    void close() {
        blocks.close();
    }

    /** The result is on its way: they may be what it is made from, and go on arriving until it has been sent. */
    void keepUntil(Outflow sent) {
        isKept = true;
        sent.onOver(this::close);
    }

    /** Whether they go on arriving though the call has been answered. */
    boolean isKept() {
        return isKept;
    }

    /** With which code the call failed, if an exception is what this one threw into the method; else null. */
    @Nullable
    ErrorCode codeOf(Throwable thrown) {
        return thrown == failure ? failedWith : null;
    }

    @Override
    public long remainingNanos() {
        return call.remainingNanos();
    }

    @Override
    public synchronized RuntimeException failed(ErrorCode code, String why) {
        CallException known = failure;
        if (known == null) {
            known = Failures.exception(
                    code, Execution.MAYBE_EXECUTED, why, call.method().site(call.service(), null), null);
            failedWith = code;
            failure = known;
        }
        return known;
    }
}
