package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Settled;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * What one side of a link tells the other about which calls have their outcome, so that it forgets them, and what it remembers
 * until it is told. The side that has dialled tells. Event thread only, but for {@link #memory} and {@link #rest}.
 */
final class Settlements {

    private static final int MOST_CALLS = 256;
    private static final int MOST_BYTES = 256 << 10;

    private final Link link;
    private final CallTable calls;
    private volatile @Nullable Remembered memory; // of the calls of a peer that has named the connection
    private ConnectionName nameOfPeer = ConnectionName.NONE;
    private int untoldCalls;
    private int untoldBytes;
    private @Nullable ByteBuf word; // the last one, to be written anew when it has gone
    private int untoldBefore; // calls, when the last interval had passed

    Settlements(Link link, CallTable calls) {
        this.link = requireNonNull(link, "link");
        this.calls = requireNonNull(calls, "calls");
    }

    /** What is remembered of the calls that come; null if their caller cannot ask for them. */
    @Nullable
    Remembered memory() {
        return memory;
    }

    /** The link stands. */
    void opened() {
        if (!link.number().isNone()) {
            tell(1);
        }
    }

    /** A call has got its outcome in an answer of so many bytes: the peer hears of that now and then, with what is sent next. */
    void settled(int bytes) {
        untoldBytes += bytes;
        if (!link.number().isNone() && (++untoldCalls >= MOST_CALLS || untoldBytes >= MOST_BYTES)) {
            untoldCalls = 0;
            untoldBytes = 0;
            tell(calls.lowest());
        }
    }

    /** An interval has passed: nothing is kept in vain. From any thread. */
    void rest() {
        Remembered known = memory;
        if (known != null) {
            known.interval();
        }
    }

    /** An interval has passed: if no call has ended in it, the peer hears of the last ones, too. */
    void interval() {
        rest();
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
        Settled.write(frame, mark, link.number());
        link.write(frame);
    }

    private ByteBuf buffer() {
        return link.connection().allocator().buffer(Settled.BYTES);
    }

    /** The peer tells. */
    void told(Settled said) {
        if (!link.isAccepted()) {
            throw new WireException(ErrorCode.PROTOCOL, "SETTLED from a peer that was dialled");
        }
        Remembered known = memory;
        if (known == null) {
            nameOfPeer = said.connection();
            known = link.context().memories().opened(link.peer(), link::close, nameOfPeer);
            memory = known;
        }
        known.settled(said.mark());
    }

    /** The connection is gone. */
    void closed() {
        ByteBuf last = word;
        word = null;
        if (last != null) {
            last.release();
        }
        Remembered known = memory;
        if (known != null) {
            link.context().memories().closed(link.peer(), nameOfPeer, known);
        }
    }
}
