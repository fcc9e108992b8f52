package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.Refusals;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.Credit;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import java.util.BitSet;

/**
 * The peers behind a broker that have broken the protocol on one link: a node treats each as gone, and goes on with the others. Their
 * calls are refused until the broker says that they are gone. Event thread only.
 */
final class Exiles {

    private static final System.Logger LOG = SafeLog.of(Exiles.class);

    private final Link link;
    private final BitSet peers = new BitSet();

    Exiles(Link link) {
        this.link = requireNonNull(link, "link");
    }

    /** Whether a frame comes from a peer that calls this node, and not from one that it calls, or from the broker. */
    static boolean isOfCaller(ByteBuf frame) {
        FrameKind kind = Header.kind(frame);
        return switch (kind) {
            case REQUEST, METHODS, TYPES, HELD, CANCEL, CALLER_GONE, AWAITED, LANE_END -> true;
            case CHUNK -> !Chunk.read(frame.duplicate()).isOfReply();
            case CREDIT -> Credit.read(frame.duplicate()).isOfReply();
            default -> false;
        };
    }

    /** Exiles the peer of a frame that breaks the protocol; a call in it may have begun. */
    void exile(ByteBuf frame, ErrorCode code, String because) {
        int peer = Header.peer(frame);
        peers.set(peer);
        Refusals.count("exiled." + code);
        LOG.log(
                System.Logger.Level.WARNING,
                "takes no more calls of peer {0} behind the broker at {1}: {2}",
                peer,
                link.connection().peer(),
                because);
        if (Header.kind(frame) == FrameKind.REQUEST) {
            fail(frame, code, Execution.MAYBE, because);
        }
    }

    /** Whether a frame is of an exile; its call has been refused then. */
    boolean holdOff(ByteBuf frame) {
        int peer = Header.peer(frame);
        if (!peers.get(peer)) {
            return false;
        }
        FrameKind kind = Header.kind(frame);
        if (kind == FrameKind.PEER_GONE) {
            peers.clear(peer);
            return false;
        }
        if (kind == FrameKind.REQUEST) {
            fail(frame, ErrorCode.PROTOCOL, Execution.NOT, "not executed: an earlier frame broke the protocol");
        }
        return isOfCaller(frame);
    }

    private void fail(ByteBuf frame, ErrorCode code, Execution execution, String why) {
        link.write(new Failure(Header.peer(frame), Header.id(frame), code, execution, why)
                .write(link.connection().allocator()));
        link.flushAfterRead();
    }
}
