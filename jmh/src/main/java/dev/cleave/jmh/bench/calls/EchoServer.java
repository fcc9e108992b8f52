package dev.cleave.jmh.bench.calls;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** Answers the requests of one connection, whose bytes it is fed in the order of their coming. Of one thread. */
final class EchoServer {

    private final Out out;
    private double @Nullable [] values;
    private int filled;
    private int caller;

    /** Where replies go. */
    @FunctionalInterface
    interface Out {

        /** Writes a reply of {@code length} bytes, 0 or 8. */
        void reply(int caller, int length, long value);
    }

    EchoServer(Out out) {
        this.out = out;
    }

    /** Answers what is complete; leaves what is not, less than 17 bytes, unread. */
    void feed(ByteBuffer in) {
        while (values != null ? fill(in, values) : answer(in)) {
            // The next request, or the next part of the array.
        }
    }

    private boolean answer(ByteBuffer in) {
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
            values = new double[length / Double.BYTES];
            filled = 0;
            return true;
        }
        if (in.limit() - body < length) {
            return false;
        }
        in.position(body + length);
        out.reply(caller, length, kind == EchoFrames.ECHO ? in.getLong(body) : 0);
        return true;
    }

    private boolean fill(ByteBuffer in, double[] array) {
        int count = Math.min(array.length - filled, in.remaining() / Double.BYTES);
        in.slice().order(in.order()).asDoubleBuffer().get(array, filled, count);
        in.position(in.position() + count * Double.BYTES);
        filled += count;
        if (filled < array.length) {
            return false;
        }
        values = null;
        out.reply(caller, Long.BYTES, Double.doubleToRawLongBits(array[0] + array[array.length - 1]));
        return true;
    }
}
