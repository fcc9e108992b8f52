package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.transport.Connection;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.Settled;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * The acknowledgements that this side of a link sends: which of its calls have their outcome, so that the peer forgets them. Only the
 * side that has dialled sends them. Event thread only.
 */
final class Settlements {

    private static final int MOST_CALLS = 256;
    private static final int MOST_BYTES = 256 << 10;

    private final Connection connection;
    private final ConnectionName number;
    private final CallTable calls;
    private int untoldCalls;
    private int untoldBytes;
    private @Nullable ByteBuf word; // the last one, to be written anew when it has gone
    private int untoldBefore; // calls, when the last interval had passed

    /** Sends nothing if {@code number}, the name of the connection, is none. */
    Settlements(Connection connection, ConnectionName number, CallTable calls) {
        this.connection = requireNonNull(connection, "connection");
        this.number = requireNonNull(number, "number");
        this.calls = requireNonNull(calls, "calls");
    }

    /** The link stands. */
    void opened() {
        if (!number.isNone()) {
            tell(1);
        }
    }

    /** A call has got its outcome in an answer of {@code bytes}: acknowledges after 256 calls or 256 KiB, with the next flush. */
    void settled(int bytes) {
        untoldBytes += bytes;
        if (!number.isNone() && (++untoldCalls >= MOST_CALLS || untoldBytes >= MOST_BYTES)) {
            untoldCalls = 0;
            untoldBytes = 0;
            tell(calls.lowest());
        }
    }

    /** An interval of pings has passed: acknowledges the last calls if none has ended in it. */
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

    /** The connection is gone. */
    void closed() {
        ByteBuf last = word;
        word = null;
        if (last != null) {
            last.release();
        }
    }
}
