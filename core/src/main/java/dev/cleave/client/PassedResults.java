package dev.cleave.client;

import dev.cleave.call.PendingCall;
import dev.cleave.serial.Codec;
import dev.cleave.serial.ValueKind;
import dev.cleave.serial.ValueWriter;
import dev.cleave.wire.PendingArgument;
import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * The arguments of a call that are results of earlier calls of its chain. The server inserts them; if it could not and
 * the call is made again, they are written here, since they have arrived meanwhile.
 *
 * <p>Only values that have the same bytes as a result and as an argument can be passed: no objects.
 */
final class PassedResults {

    /** The arguments of a call to which no result is passed. */
    static final PassedResults NONE = new PassedResults(List.of());

    private final List<Passed> passed;

    /**
     * An argument.
     *
     * @param source the call whose result it is
     * @param number its number in the chain
     * @param at how many bytes of the other arguments stand before it
     */
    record Passed(PendingCall source, int number, int at) {}

    PassedResults(List<Passed> passed) {
        this.passed = List.copyOf(passed);
    }

    /** Lists the results that the server of a request inserts. */
    List<PendingArgument> pending() {
        return passed.isEmpty()
                ? List.of()
                : passed.stream()
                        .map(each -> new PendingArgument(each.number(), each.at()))
                        .toList();
    }

    /**
     * Writes all arguments; waits for results that have not come.
     *
     * @param others the bytes of the arguments that are not passed
     * @throws Throwable the failure of a call whose result is needed, or of writing the value
     */
    void write(byte[] others, ByteBuf frame, Codec codec) throws Throwable {
        int taken = 0;
        for (Passed each : passed) {
            frame.writeBytes(others, taken, each.at() - taken);
            taken = each.at();
            write(each.source(), codec.writer(frame));
        }
        frame.writeBytes(others, taken, others.length - taken);
    }

    private static void write(PendingCall source, ValueWriter values) throws Throwable {
        ValueKind kind = source.method().result();
        switch (kind == null ? ValueKind.OBJECT : kind) {
            case BOOLEAN -> values.putBoolean(source.awaitInt() != 0);
            case BYTE -> values.putByte((byte) source.awaitInt());
            case CHAR -> values.putChar((char) source.awaitInt());
            case SHORT -> values.putShort((short) source.awaitInt());
            case INT -> values.putInt(source.awaitInt());
            case LONG -> values.putLong(source.awaitLong());
            case FLOAT -> values.putFloat(source.awaitFloat());
            case DOUBLE -> values.putDouble(source.awaitDouble());
            case STRING -> values.putString((String) source.await());
            case BOOLEANS -> values.putBooleans((boolean[]) source.await());
            case BYTES -> values.putBytes((byte[]) source.await());
            case CHARS -> values.putChars((char[]) source.await());
            case SHORTS -> values.putShorts((short[]) source.await());
            case INTS -> values.putInts((int[]) source.await());
            case LONGS -> values.putLongs((long[]) source.await());
            case FLOATS -> values.putFloats((float[]) source.await());
            case DOUBLES -> values.putDoubles((double[]) source.await());
            case OBJECT -> throw new AssertionError(source.method().label());
        }
        values.finish(i -> "");
    }
}
