package dev.cleave.call;

import dev.cleave.wire.Begun;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.CallerGone;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Moved;
import dev.cleave.wire.PeerGone;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.Pull;
import dev.cleave.wire.Recall;
import dev.cleave.wire.Same;
import dev.cleave.wire.Settled;
import dev.cleave.wire.Suspected;
import dev.cleave.wire.Types;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;

/**
 * The handlers that every link has, of a node of any kind: those of the caller's side, of streams and of the
 * connection.
 */
final class LinkFrames {

    private LinkFrames() {}

    /** Begins the table of a link; the owner adds its own handlers. */
    static FrameTable.Builder<Link> table() {
        return FrameTable.<Link>of("a node")
                .on(FrameKind.REPLY, LinkFrames::reply)
                .on(FrameKind.FAILURE, LinkFrames::failure)
                .on(FrameKind.BEGUN, Begun::read, LinkFrames::begun)
                .on(FrameKind.MOVED, Moved::read, LinkFrames::moved)
                .on(FrameKind.SUSPECTED, Suspected::read, LinkFrames::suspected)
                .on(FrameKind.TYPES, Types::read, (link, said) -> link.tables(said.peer())
                        .announced(said))
                .on(FrameKind.METHODS, Methods::read, (link, said) -> link.tables(said.peer())
                        .announced(said))
                .on(FrameKind.CHUNK, (link, frame) -> link.streams().onChunk(frame))
                .on(FrameKind.CREDIT, (link, frame) -> link.streams().onCredit(frame))
                .on(FrameKind.SAME, Same::read, (link, said) -> link.streams().onSame(said))
                .on(FrameKind.CANCEL, Cancel::read, (link, said) -> link.streams()
                        .cancelled(said.peer(), said.id()))
                .on(FrameKind.CALLER_GONE, CallerGone::read, (link, said) -> link.streams()
                        .cancelled(said.peer(), said.id()))
                .on(FrameKind.PULL, Pull::read, (link, said) -> link.pulls().asked(said))
                .on(FrameKind.SETTLED, Settled::read, LinkFrames::settled)
                .on(FrameKind.RECALL, Recall::read, LinkFrames::recall)
                .on(FrameKind.PING, Ping::read, LinkFrames::ping)
                .on(FrameKind.PONG, Pong::read, (link, said) -> link.reported(said.load()))
                .on(FrameKind.GOAWAY, GoAway::read, Link::sentAway)
                .on(FrameKind.PEER_GONE, PeerGone::read, (link, said) -> link.peerGone(said.peer()));
    }

    private static void reply(Link link, ByteBuf frame) {
        if (Blocks.follow(frame)) {
            link.streams().onReply(frame);
            return;
        }
        LinkCall call = link.calls().remove(Header.id(frame));
        if (call != null) {
            int bytes = frame.readableBytes();
            end(link, call, FrameKind.REPLY, frame);
            link.settlements().settled(bytes);
        }
    }

    private static void failure(Link link, ByteBuf frame) {
        LinkCall call = link.calls().remove(Header.id(frame));
        if (call != null) {
            link.streams().forgotten(Header.id(frame));
            end(link, call, FrameKind.FAILURE, frame);
            link.settlements().settled(0);
        } else if (!link.streams().failed(frame)) {
            link.owner().onFailure(link, frame);
        }
    }

    private static void end(Link link, LinkCall call, FrameKind kind, ByteBuf frame) {
        int peer = Header.peer(frame);
        PeerTables from = link.tables(peer);
        call.answeredBy(peer);
        Replies.end(call, kind, frame, from.types());
        link.closeIfDone();
    }

    private static void begun(Link link, Begun begun) {
        for (long id : begun.calls()) {
            LinkCall call = link.calls().get(id);
            if (call != null) {
                call.begun();
            }
        }
    }

    private static void moved(Link link, Moved moved) {
        LinkCall call = link.calls().remove(moved.id());
        if (call != null) {
            call.moved(moved.replica());
        }
    }

    private static void suspected(Link link, Suspected suspected) {
        for (long id : suspected.calls()) {
            LinkCall call = link.calls().get(id);
            if (call != null) {
                call.replicaSuspected();
            }
        }
    }

    private static void settled(Link link, Settled said) {
        if (!link.isAccepted()) {
            throw new WireException(ErrorCode.PROTOCOL, "SETTLED from a peer that was dialled");
        }
        link.memories().settled(said);
    }

    private static void recall(Link link, Recall said) {
        link.memories().recall(said, new Recalled(link, said.id()));
    }

    /**
     * A caller that has come back over another link, and asks for the outcome of a call.
     *
     * @param link the link over which the caller asks
     * @param id the number of the question there
     */
    private record Recalled(Link link, long id) implements Remembered.Asker {

        @Override
        public void failed(Execution execution, String why) {
            link.write(new Failure(0, id, ErrorCode.CONNECTION_LOST, execution, why)
                    .write(link.connection().allocator()));
            link.flush();
        }

        @Override
        public void replied(ByteBuf reply, int highestType) {
            ByteBuf frame = link.connection().allocator().buffer(reply.readableBytes());
            frame.writeBytes(reply, reply.readerIndex(), reply.readableBytes());
            Header.readdress(frame, 0, id);
            link.tables(0).announceTypes(highestType);
            link.write(frame);
            link.flush();
        }
    }

    private static void ping(Link link, Ping said) {
        link.answer(new Pong(said.id(), link.owner().load()));
        link.flushAfterRead();
    }
}
