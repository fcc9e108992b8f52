package dev.cleave.call;

import dev.cleave.CallException.CallSite;
import dev.cleave.CallException.Execution;
import dev.cleave.Later;
import dev.cleave.serial.AnnouncedNames;
import dev.cleave.serial.Codec;
import dev.cleave.serial.CopyRestore;
import dev.cleave.serial.Declared;
import dev.cleave.serial.ReceivedBlocks;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.TimeLimit;
import dev.cleave.serial.ValueKind;
import dev.cleave.serial.ValueReader;
import dev.cleave.wire.ErrorCode;
import io.netty.buffer.Unpooled;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How a call ended. Holds no buffer: a result that has not been decoded is a byte array. */
public sealed interface Outcome {

    /** Whether the method has answered: with a result, or with what it threw. */
    default boolean isAnswer() {
        return true;
    }

    /** Whether the method has answered with a result, as far as is known without decoding it. */
    default boolean isResult() {
        return true;
    }

    /** Decodes a result that has not been decoded yet, within a time limit; returns null if there is none to decode. */
    default @Nullable Result decode(TimeLimit limit) {
        return null;
    }

    /**
     * A result: the bits of a primitive, or an object.
     *
     * @param bits of the primitive; a boolean, byte, char, short or int sign- or zero-extended, a float or double raw
     * @param value the object, or null
     */
    record Result(long bits, @Nullable Object value) implements Outcome {

        /** The result of a method without one, and of null, zero and false. */
        static final Result NOTHING = new Result(0, null);
    }

    /** An object that the awaiting thread decodes. */
    record Encoded(byte[] bytes, ReceivedBlocks blocks, AnnouncedNames names, Codec codec, List<Declared> declared)
            implements Outcome {

        ValueReader reader(TimeLimit limit) {
            return codec.reader(Unpooled.wrappedBuffer(bytes), names, blocks)
                    .expecting(declared)
                    .until(limit);
        }

        @Override
        public Result decode(TimeLimit limit) {
            try (ValueReader reader = reader(limit)) {
                return new Result(0, reader.takeObject());
            }
        }
    }

    /**
     * A result, and changes of the caller's arguments, which the awaiting thread decodes and makes.
     *
     * @param answer both, as one object
     * @param restored the arguments, as they are known when it is decoded
     * @param type the type of the result
     */
    record Restoring(Encoded answer, Supplier<CopyRestore> restored, Class<?> type) implements Outcome {

        @Override
        public Result decode(TimeLimit limit) {
            Object result = restored.get().restore(answer.decode(limit).value());
            if (!type.isPrimitive() || type == void.class) {
                return new Result(0, result);
            }
            if (!MethodType.methodType(type).wrap().returnType().isInstance(result)) {
                throw new SerialException(SerialException.Reason.MALFORMED, "no result of type " + type, null);
            }
            return new Result(Primitives.bits(result), null);
        }
    }

    /**
     * A result that stays at the server.
     *
     * @param bytes that it has
     * @param fetch returns it; throws a {@code CallException} if it is lost
     */
    record Stayed(long bytes, Function<TimeLimit, @Nullable Object> fetch) implements Outcome {

        @Override
        public Result decode(TimeLimit limit) {
            return new Result(0, fetch.apply(limit));
        }
    }

    /**
     * A result that the program uses while it arrives.
     *
     * @param kind how it travels
     * @param isLater whether the program gets it as a {@link Later.Value}
     * @param whenTaken runs when the program takes it; null if the result is whole
     */
    record Parts(
            Encoded encoded,
            ValueKind kind,
            boolean isLater,
            @Nullable Runnable whenTaken) implements Outcome {

        @Override
        public Result decode(TimeLimit limit) {
            Result result = isLater ? later(limit) : encoded.decode(limit);
            if (whenTaken != null) {
                whenTaken.run();
            }
            return result;
        }

        private Result later(TimeLimit limit) {
            try (ValueReader reader = encoded.reader(limit)) {
                return new Result(0, reader.takeLater(kind));
            }
        }
    }

    /** The encoded exception of the method, decoded anew for each await. */
    record Thrown(byte[] bytes, AnnouncedNames names, Codec codec) implements Outcome {

        @Override
        public boolean isResult() {
            return false;
        }

        Throwable decode(CallSite site, TimeLimit limit) {
            return codec.readThrown(Unpooled.wrappedBuffer(bytes), names, site, limit);
        }
    }

    /** An interceptor has forbidden the call, which was not sent. */
    record Vetoed(Throwable veto) implements Outcome {

        @Override
        public boolean isResult() {
            return false;
        }
    }

    /** The call itself failed. */
    record Failed(
            ErrorCode code,
            Execution execution,
            String message,
            @Nullable Throwable cause) implements Outcome {

        @Override
        public boolean isAnswer() {
            return false;
        }

        @Override
        public boolean isResult() {
            return false;
        }

        /** Whether it is certain that the method was not executed. */
        public boolean isNotExecuted() {
            return execution == Execution.NOT_EXECUTED;
        }
    }
}
