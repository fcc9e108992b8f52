package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Encoded;
import dev.cleave.call.RemoteMethod;
import dev.cleave.serial.Reference;
import dev.cleave.serial.ValueWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call that is not being made yet, as generated stubs write them: all {@link #values}, then {@link
 * #finish}. Runs no code of the program, and takes no lock. Of one thread.
 */
public final class Encoding {

    private final ServiceCalls calls;
    private final RemoteMethod method;
    private final int number;
    private final ByteBuf target;
    private final ValueWriter values;

    Encoding(ServiceCalls calls, RemoteMethod method, int number) {
        this.calls = requireNonNull(calls, "calls");
        this.method = requireNonNull(method, "method");
        this.number = number;
        target = PooledByteBufAllocator.DEFAULT.buffer(64);
        Reference.Number object = calls.object();
        if (object != null) {
            target.writeLong(object.high()).writeLong(object.low());
        }
        values = calls.codec().quietWriter(target);
    }

    /** Where the arguments go: first all direct ones, then the objects. */
    public ValueWriter values() {
        return values;
    }

    /** The call, or null if its arguments cannot be written without running code of the program, or not at all. */
    public @Nullable Encoded finish() {
        try {
            int highest = values.finish(method::objectName);
            byte[] arguments = new byte[target.readableBytes()];
            target.readBytes(arguments);
            return new EncodedCall(calls, method, number, arguments, highest);
        } catch (RuntimeException e) { // whatever it is, the program meets it at the place of its call
            return null;
        } finally {
            target.release();
        }
    }
}
