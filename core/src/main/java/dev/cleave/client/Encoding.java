package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.Cleave;
import dev.cleave.call.Encoded;
import dev.cleave.call.RemoteMethod;
import dev.cleave.serial.Reference;
import dev.cleave.serial.ValueWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the arguments of a call that is not made yet, for generated stubs: all {@link #values}, then {@link
 * #finish}. Runs no code of the program, and takes no lock. Used by one thread at a time.
 *
 * <p>The encoding of a method that has only primitive parameters is re-used.
 */
public final class Encoding {

    private static final int BYTES = 64;

    private final CalledService service;
    private final RemoteMethod method;
    private final SpareCalls<Encoding> spare;
    private final Around around;
    private final boolean isReused;
    private final ByteBuf target;
    private final ValueWriter values;
    private final Function<Integer, String> naming;

    Encoding(CalledService service, RemoteMethod method, SpareCalls<Encoding> spare, Around around) {
        this.service = requireNonNull(service, "service");
        this.method = requireNonNull(method, "method");
        this.spare = requireNonNull(spare, "spare");
        this.around = requireNonNull(around, "around");
        naming = method.plan()::objectName;
        isReused = method.hasPrimitivesOnly();
        target = isReused
                ? UnpooledByteBufAllocator.DEFAULT.heapBuffer(BYTES)
                : PooledByteBufAllocator.DEFAULT.buffer(BYTES);
        values = service.codec().quietWriter(target);
        begin();
    }

    /** Resets the object for another call. */
    Encoding again() {
        target.clear();
        begin();
        return this;
    }

    private void begin() {
        Reference.Number object = service.object();
        if (object != null) {
            target.writeLong(object.high()).writeLong(object.low());
        }
    }

    /** Returns the writer of the arguments: first all direct ones, then the objects. */
    public ValueWriter values() {
        return values;
    }

    /**
     * Returns the encoded call; null if its arguments cannot be written, or not without running code of the program,
     * in the lambda of {@link Cleave#async}, which sends nothing ahead, and where an interceptor does not allow it.
     */
    public @Nullable Encoded finish() {
        try {
            int highest = values.finish(naming);
            if (Cleave.capturing() != null || !around.allowsPrefetch()) {
                return null;
            }
            byte[] arguments = new byte[target.readableBytes()];
            target.readBytes(arguments);
            Surroundings here = around.isNeeded() ? around.captured() : Surroundings.NONE;
            return new EncodedCall(service, method, arguments, highest, around, here);
        } catch (RuntimeException e) { // the program gets the exception at the place of its call
            return null;
        } finally {
            if (isReused) {
                spare.put(method.index(), this);
            } else {
                target.release();
            }
        }
    }
}
