package dev.cleave.jmh.bench.bare;

import dev.cleave.jmh.bench.contender.Values;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Answers the requests of one connection, whose bytes it is fed in the order of their coming. Of one thread. */
final class EchoServer {

    private final Out out;
    private @Nullable ArrayInFlight argument;
    private @Nullable BytesInFlight echo;
    private int caller;

    /** Where replies go. */
    interface Out {

        /** Writes a reply of {@code length} bytes, 0 or 8. */
        void reply(int caller, int length, long value) throws IOException;

        /** Writes a reply of the bytes that remain in a buffer. */
        void reply(int caller, ByteBuffer bytes) throws IOException;

        /** Writes a reply of an array. */
        void reply(int caller, double[] values) throws IOException;
    }

    EchoServer(Out out) {
        this.out = out;
    }

    /** Answers what is complete; leaves what is not unread, which is never more than a small echo. */
    void feed(ByteBuffer in) throws IOException {
        while (argument != null ? fill(in, argument) : echo != null ? fill(in, echo) : answer(in)) {
            // The next request, or the next part of the array.
        }
    }

    private boolean answer(ByteBuffer in) throws IOException {
        if (in.remaining() < EchoFrames.REQUEST_HEADER) {
            return false;
        }
        int start = in.position();
        byte kind = in.get(start);
        int length = in.getInt(start + Byte.BYTES + Integer.BYTES);
        caller = in.getInt(start + Byte.BYTES);
        int body = start + EchoFrames.REQUEST_HEADER;
        if (kind == EchoFrames.ENDS) {
            in.position(body);
            argument = new ArrayInFlight(length / Double.BYTES);
            return true;
        }
        if (kind == EchoFrames.BYTES && length >= BytesInFlight.LEAST) {
            in.position(body);
            echo = new BytesInFlight(length);
            return true;
        }
        if (in.limit() - body < length) {
            return false;
        }
        in.position(body + length);
        switch (kind) {
            case EchoFrames.NOTHING -> out.reply(caller, 0, 0);
            case EchoFrames.ECHO -> out.reply(caller, Long.BYTES, in.getLong(body));
            case EchoFrames.BYTES -> out.reply(caller, in.slice(body, length));
            case EchoFrames.DOUBLES -> out.reply(caller, Values.served(in.getInt(body)));
            default -> throw new IOException("kind: " + kind + " (expected: 0..4)");
        }
        return true;
    }

    private boolean fill(ByteBuffer in, ArrayInFlight array) throws IOException {
        if (!array.fill(in)) {
            return false;
        }
        argument = null;
        out.reply(caller, Long.BYTES, Double.doubleToRawLongBits(Values.ends(array.values())));
        return true;
    }

    private boolean fill(ByteBuffer in, BytesInFlight bytes) throws IOException {
        if (!bytes.fill(in)) {
            return false;
        }
        echo = null;
        out.reply(caller, ByteBuffer.wrap(bytes.bytes()));
        return true;
    }
}
