package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException;
import dev.cleave.CallException.Execution;
import dev.cleave.call.Failures;
import dev.cleave.call.RemoteMethod;
import dev.cleave.serial.ReceivedBlocks;
import dev.cleave.stream.StreamReceiver;
import dev.cleave.stream.StreamSender;
import dev.cleave.stream.StreamedValue;
import dev.cleave.wire.ErrorCode;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** The stream of the large arguments of one call. Thread-safe. */
final class ArgumentStream implements StreamedValue.Owner {

    private final String service;
    private final RemoteMethod method;
    private final LongSupplier remainingNanos;
    private final StreamReceiver receiver;
    private final boolean early;
    private final LargeArgumentRecord record;
    private volatile boolean isKept;
    private volatile @Nullable CallException failure;
    private volatile @Nullable ErrorCode failedWith;

    /**
     * Begins to receive the arguments.
     *
     * @param remainingNanos the time that the call may still take
     * @param early whether the method may begin before its streamed arguments have arrived
     */
    ArgumentStream(
            String service, RemoteMethod method, LongSupplier remainingNanos, StreamReceiver receiver, boolean early) {
        this.service = requireNonNull(service, "service");
        this.method = requireNonNull(method, "method");
        this.remainingNanos = remainingNanos;
        this.receiver = requireNonNull(receiver, "receiver");
        this.early = early;
        record = new LargeArgumentRecord(service, method, early);
        receiver.belongsTo(this);
    }

    /** Whether the method may begin. */
    boolean isReady() {
        return early ? receiver.isReady() : receiver.isComplete();
    }

    /** Whether all arguments have arrived. */
    boolean isComplete() {
        return receiver.isComplete();
    }

    /** Runs a task when the method may begin, or now if so; never if this is closed before. */
    void whenReady(Runnable task) {
        if (early) {
            receiver.whenReady(task);
        } else {
            receiver.whenComplete(task);
        }
    }

    ReceivedBlocks values() {
        return ReceivedBlocks.of(receiver);
    }

    /** The method has returned. */
    void ends() {
        record.ends(receiver);
    }

    /** The arguments have been read and the method begins: streamed arguments go on arriving if it takes them so. */
    void read() {
        record.begins();
        if (!early || receiver.values().isEmpty()) {
            receiver.close();
        }
    }

    /** Stops receiving. */
    void close() {
        receiver.close();
    }

    /** Keeps the stream open until a result has been sent that may be made of streamed arguments. */
    void keepUntil(StreamSender sent) {
        isKept = true;
        sent.onOver(this::close);
    }

    /** Whether the stream goes on though the call has been answered. */
    boolean isKept() {
        return isKept;
    }

    /** The code with which the call failed, if an exception is the one that a wait for an argument threw; else null. */
    @Nullable
    ErrorCode codeOf(Throwable thrown) {
        return thrown == failure ? failedWith : null;
    }

    @Override
    public long remainingNanos() {
        return remainingNanos.getAsLong();
    }

    @Override
    public synchronized RuntimeException failed(ErrorCode code, String why) {
        CallException known = failure;
        if (known == null) {
            known = Failures.exception(code, Execution.MAYBE_EXECUTED, why, method.site(service, null), null);
            failedWith = code;
            failure = known;
        }
        return known;
    }
}
