package dev.cleave.transport.netty;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Merges the frames of datagrams with those of the stream, each once and in the order in which they were written. Keeps
 * datagrams that arrive too early, up to {@link SentDatagrams#WINDOW}.
 *
 * <p>Not thread-safe.
 */
final class ReceivedDatagrams {

    private final Predicate<ByteBuf> sink;
    private final Map<Long, Early> early = new HashMap<>();
    private long next = 1;
    private long streamed;

    private record Early(long after, ByteBuf frames) {}

    /**
     * Creates a receiver without datagrams.
     *
     * @param sink reads each frame during the call, and says whether it wants more
     */
    ReceivedDatagrams(Predicate<ByteBuf> sink) {
        this.sink = sink;
    }

    /** The number up to which all datagrams have arrived. */
    long came() {
        return next - 1;
    }

    /** Begins to count the frames of the stream. */
    void beginCount() {
        streamed = 0;
    }

    /**
     * Counts a frame of the stream that has been handled; says whether frames of datagrams have now been handled too.
     */
    boolean streamed() {
        streamed++;
        return !early.isEmpty() && goOn();
    }

    /**
     * Takes a datagram; says whether frames have been handled.
     *
     * @param frames the caller still owns them
     * @throws WireException if they are no frames
     */
    boolean came(long number, long after, ByteBuf frames) {
        if (number == next && after <= streamed) {
            deliver(frames);
            goOn();
            return true;
        }
        if (number >= next && number < next + SentDatagrams.WINDOW && !early.containsKey(number)) {
            early.put(number, new Early(after, frames.retainedSlice()));
        }
        return false;
    }

    /**
     * Takes a datagram that arrived in the stream.
     *
     * @throws WireException if an earlier one has not arrived
     */
    void resent(long number, ByteBuf frames) {
        if (number > next) {
            throw new WireException(
                    ErrorCode.PROTOCOL, "datagram " + number + " in the stream (expected: at most " + next + ")");
        }
        if (number == next) {
            deliver(frames);
            goOn();
        }
    }

    /** Releases all datagrams. */
    void close() {
        early.values().forEach(each -> each.frames().release());
        early.clear();
    }

    /** Handles the kept datagrams that are next in order; says whether there were any. */
    private boolean goOn() {
        boolean any = false;
        Early known = early.get(next);
        while (known != null && known.after() <= streamed) {
            early.remove(next);
            any = true;
            try {
                deliver(known.frames());
            } finally {
                known.frames().release();
            }
            known = early.get(next);
        }
        return any;
    }

    private void deliver(ByteBuf frames) {
        Early twin = early.remove(next);
        if (twin != null) {
            twin.frames().release();
        }
        next++;
        boolean wanted = true;
        while (wanted && frames.isReadable()) {
            int length = Header.frameLength(frames, Header.CALL_LIMIT);
            if (length < 0 || length > frames.readableBytes()) {
                throw new WireException(
                        ErrorCode.PROTOCOL,
                        "datagram: a frame of " + length + " bytes (expected: at most " + frames.readableBytes() + ")");
            }
            wanted = sink.test(frames.readSlice(length));
        }
    }
}
