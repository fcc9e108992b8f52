package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException.Execution;
import dev.cleave.call.ParameterPlan.Travel;
import dev.cleave.replica.FailureClass;
import dev.cleave.serial.AnnouncedNames;
import dev.cleave.serial.Declared;
import dev.cleave.serial.ReceivedBlocks;
import dev.cleave.serial.SerialException;
import dev.cleave.serial.ValueKind;
import dev.cleave.serial.ValueReader;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Reply;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Turns REPLY and FAILURE frames into outcomes that hold no buffer. */
final class Replies {

    private Replies() {}

    /**
     * Ends a call with the outcome in a frame.
     *
     * @throws WireException if the frame is malformed; the call has ended with that failure
     */
    static void end(LinkCall call, FrameKind kind, ByteBuf frame, AnnouncedNames names) {
        try {
            if (kind == FrameKind.REPLY) {
                reply(call, frame, names);
            } else {
                failure(call, frame, names);
            }
        } catch (WireException e) {
            call.fail(e.code(), Execution.MAYBE_EXECUTED, "answer: " + e.getMessage(), e);
            throw e;
        }
    }

    /** Ends a call with the outcome in a reply: direct values are read at once, objects when they are awaited. */
    private static void reply(LinkCall call, ByteBuf frame, AnnouncedNames names) {
        boolean hasStayed = Reply.hasStayed(frame);
        Reply.skip(frame);
        if (hasStayed) {
            call.stayed(frame.readLong());
            return;
        }
        call.arrived(frame.readableBytes());
        succeed(call, frame, names, ReceivedBlocks.none());
    }

    /** Ends a call with a result that need not be whole; returns whether the call was still open. */
    static boolean begin(
            LinkCall call, ByteBuf body, AnnouncedNames names, ReceivedBlocks blocks, @Nullable Runnable whenTaken) {
        RemoteMethod method = call.method();
        Outcome.Encoded encoded = encoded(call, body, names, blocks);
        return call.end(new Outcome.Parts(
                encoded,
                requireNonNull(method.result()),
                call.isShown() || method.plan().resultIs(Travel.LATER),
                whenTaken));
    }

    /** Ends a call with its result: the bytes of {@code body} and what came beside them. */
    static void succeed(LinkCall call, ByteBuf body, AnnouncedNames names, ReceivedBlocks blocks) {
        if (call.isShown() || call.method().plan().resultIs(Travel.LATER)) {
            boolean unused = begin(call, body, names, blocks, null);
            return;
        }
        RemoteMethod method = call.method();
        if (call.restored() != null) {
            Outcome.Encoded answer =
                    new Outcome.Encoded(bytes(body), blocks, names, call.codec(), List.of(Declared.NOTHING));
            call.end(new Outcome.Restoring(
                    answer,
                    () -> requireNonNull(call.restored()),
                    method.method().getReturnType()));
            return;
        }
        ValueKind kind = method.isFuture() ? ValueKind.OBJECT : method.result();
        if (kind == null) {
            call.succeed(0, null);
            return;
        }
        if (kind == ValueKind.OBJECT) {
            call.end(encoded(call, body, names, blocks));
            return;
        }
        try (ValueReader in = call.codec().reader(body, names, blocks)) {
            switch (kind) {
                case BOOLEAN -> call.succeed(in.takeBoolean() ? 1 : 0, null);
                case BYTE -> call.succeed(in.takeByte(), null);
                case CHAR -> call.succeed(in.takeChar(), null);
                case SHORT -> call.succeed(in.takeShort(), null);
                case INT -> call.succeed(in.takeInt(), null);
                case LONG -> call.succeed(in.takeLong(), null);
                case FLOAT -> call.succeed(Float.floatToRawIntBits(in.takeFloat()), null);
                case DOUBLE -> call.succeed(Double.doubleToRawLongBits(in.takeDouble()), null);
                case STRING -> call.succeed(0, in.takeString());
                case BOOLEANS -> call.succeed(0, in.takeBooleans());
                case BYTES -> call.succeed(0, in.takeBytes());
                case CHARS -> call.succeed(0, in.takeChars());
                case SHORTS -> call.succeed(0, in.takeShorts());
                case INTS -> call.succeed(0, in.takeInts());
                case LONGS -> call.succeed(0, in.takeLongs());
                case FLOATS -> call.succeed(0, in.takeFloats());
                case DOUBLES -> call.succeed(0, in.takeDoubles());
                case OBJECT -> throw new AssertionError(kind);
            }
        } catch (SerialException e) {
            call.fail(ErrorCode.PROTOCOL, Execution.EXECUTED, "result: " + e.getMessage(), e);
        }
    }

    /** Ends a call with a failure, unless the call is sent again. */
    private static void failure(LinkCall call, ByteBuf frame, AnnouncedNames names) {
        Failure failure = Failure.read(frame);
        if (failure.code() == ErrorCode.THROWN) {
            call.end(new Outcome.Thrown(bytes(frame), names, call.codec()));
            return;
        }
        FailureClass what = FailureClass.of(failure.code(), failure.execution());
        if (what != FailureClass.FINAL && call.sendAgain(what, failure.message())) {
            return;
        }
        call.fail(failure.code(), Failures.execution(failure.execution()), failure.message(), null);
    }

    private static Outcome.Encoded encoded(LinkCall call, ByteBuf body, AnnouncedNames names, ReceivedBlocks blocks) {
        return new Outcome.Encoded(
                bytes(body),
                blocks,
                names,
                call.codec(),
                List.of(requireNonNull(call.method().plan().result()).declared()));
    }

    private static byte[] bytes(ByteBuf frame) {
        byte[] bytes = new byte[frame.readableBytes()];
        frame.readBytes(bytes);
        return bytes;
    }
}
