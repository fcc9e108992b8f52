package dev.cleave.transport.netty;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Header;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Puts the frames of datagrams between those of the stream, each once and in the order in which they were written. What comes
 * too early is kept, up to {@link SentDatagrams#WINDOW} datagrams.
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
     * Creates one that has received nothing.
     *
     * @param sink takes each frame, for the time of the call, and says whether it wants more
     */
    ReceivedDatagrams(Predicate<ByteBuf> sink) {
        this.sink = sink;
    }

    /** Up to which number all have come. */
    long came() {
        return next - 1;
    }

    /** The frames of the stream are counted from now on. */
    void beginCount() {
        streamed = 0;
    }

    /** A frame of the stream has been handled; says whether frames of datagrams have now been, too. */
    boolean streamed() {
        streamed++;
        return !early.isEmpty() && goOn();
    }

    /**
     * A datagram has come; says whether frames have been handled.
     *
     * @param frames stay the caller's
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
     * A datagram has come in the stream.
     *
     * @throws WireException if one before it has not come
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

    /** Lets all go. */
    void close() {
        early.values().forEach(each -> each.frames().release());
        early.clear();
    }

    /** Handles what its time has come for. */
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
