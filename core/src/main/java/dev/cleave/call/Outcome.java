package dev.cleave.call;

import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.Later;
import dev.cleave.serial.ArrivedBlocks;
import dev.cleave.serial.Codec;
import dev.cleave.serial.Names;
import dev.cleave.serial.ValueKind;
import dev.cleave.serial.ValueReader;
import dev.cleave.wire.ErrorCode;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/** How a call ended. Holds no buffer: what has not been decoded is bytes of the heap. */
sealed interface Outcome {

    /**
     * A result: the bits of a primitive, or an object.
     *
     * @param bits of the primitive; a boolean, byte, char, short or int sign- or zero-extended, a float or double raw
     * @param value the object, or null
     */
    record Result(long bits, @Nullable Object value) implements Outcome {

        /** That of a method without a result, and null, zero and false. */
        static final Result NOTHING = new Result(0, null);
    }

    /** An object that the awaiting thread decodes. */
    record Encoded(byte[] bytes, ArrivedBlocks blocks, Names names, Codec codec) implements Outcome {

        ValueReader reader() {
            return codec.reader(Unpooled.wrappedBuffer(bytes), names, blocks);
        }

        Result decode() {
            try (ValueReader reader = reader()) {
                return new Result(0, reader.takeObject());
            }
        }
    }

    /**
     * A result that the program uses while it arrives.
     *
     * @param kind how it travels
     * @param isShown whether the program gets it as a {@link Later.Value}
     * @param arriving what follows; null if all of it is here
     */
    record Parts(
            Encoded encoded,
            ValueKind kind,
            boolean isShown,
            @Nullable ArrivingResult arriving) implements Outcome {

        Result decode() {
            if (!isShown) {
                return encoded.decode();
            }
            try (ValueReader reader = encoded.reader()) {
                return new Result(0, kind == ValueKind.OBJECT ? reader.takeShown() : reader.takeShown(kind));
            }
        }
    }

    /** What the method threw; decoded for each await anew. */
    record Thrown(byte[] bytes, Names names, Codec codec) implements Outcome {

        Throwable decode(CallSite site) {
            return codec.readThrown(Unpooled.wrappedBuffer(bytes), names, site);
        }
    }

    /** The call itself failed. */
    record Failed(
            ErrorCode code,
            Execution execution,
            String message,
            @Nullable Throwable cause) implements Outcome {}
}
