package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.transport.Connection;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.Settled;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Sends the acknowledgements of this side of a link: they say up to which number its calls have outcomes, so that the
 * peer forgets those. Only the side that has dialled sends them. Event thread only.
 */
final class Settlements {

    private static final int MOST_CALLS = 256;
    private static final int MOST_BYTES = 256 << 10;

    private final Connection connection;
    private final ConnectionName number;
    private final CallTable calls;
    private int untoldCalls;
    private int untoldBytes;
    private @Nullable ByteBuf word; // the buffer of the last acknowledgement, re-used once it has been sent
    private int untoldBefore; // untoldCalls at the end of the last interval

    /** Sends nothing if {@code number}, the name of the connection, is none. */
    Settlements(Connection connection, ConnectionName number, CallTable calls) {
        this.connection = requireNonNull(connection, "connection");
        this.number = requireNonNull(number, "number");
        this.calls = requireNonNull(calls, "calls");
    }

    /** Names the connection to the peer, as the first frame of an open link. */
    void opened() {
        if (!number.isNone()) {
            tell(1);
        }
    }

    /** Counts an answer of {@code bytes} bytes: acknowledges after 256 calls or 256 KiB, with the next flush. */
    void settled(int bytes) {
        untoldBytes += bytes;
        if (!number.isNone() && (++untoldCalls >= MOST_CALLS || untoldBytes >= MOST_BYTES)) {
            untoldCalls = 0;
            untoldBytes = 0;
            tell(calls.lowest());
        }
    }

    /** Handles an interval of pings: acknowledges the last calls if none has ended in it. */
    void interval() {
        if (untoldCalls > 0 && untoldCalls == untoldBefore) {
            untoldCalls = 0;
            untoldBytes = 0;
            tell(calls.lowest());
        }
        untoldBefore = untoldCalls;
    }

    private void tell(long mark) {
        ByteBuf kept = word;
        if (kept == null) {
            kept = buffer();
            word = kept;
        }
        ByteBuf frame = kept.refCnt() == 1 ? kept.retain() : buffer();
        Settled.write(frame, mark, number);
        connection.write(frame);
    }

    private ByteBuf buffer() {
        return connection.allocator().buffer(Settled.BYTES);
    }

    /** Releases the buffer: the connection is gone. */
    void closed() {
        ByteBuf last = word;
        word = null;
        if (last != null) {
            last.release();
        }
    }
}
