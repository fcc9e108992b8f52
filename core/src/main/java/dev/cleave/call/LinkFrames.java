package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.wire.Awaited;
import dev.cleave.wire.Begun;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.Cancel;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.GoAway;
import dev.cleave.wire.Header;
import dev.cleave.wire.Held;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.Load;
import dev.cleave.wire.Methods;
import dev.cleave.wire.Moved;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.Pull;
import dev.cleave.wire.Recall;
import dev.cleave.wire.Settled;
import dev.cleave.wire.Suspected;
import dev.cleave.wire.Types;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Does what the frames that come over one link say, or has it done. Event thread only, but for {@link #takeLoad}. */
final class LinkFrames {

    private final Link link;
    private final LinkOwner owner;
    private final CallTable calls;
    private final Settlements settlements;
    private final Pulls pulls;
    private final ReceivedNumbers requests = new ReceivedNumbers();
    private final AtomicReference<@Nullable Load> reported = new AtomicReference<>();

    LinkFrames(Link link, LinkOwner owner, CallTable calls, Settlements settlements, Pulls pulls) {
        this.link = requireNonNull(link, "link");
        this.owner = requireNonNull(owner, "owner");
        this.calls = requireNonNull(calls, "calls");
        this.settlements = requireNonNull(settlements, "settlements");
        this.pulls = requireNonNull(pulls, "pulls");
    }

    /** How busy the peer has said it is since this was last asked for; null if it has said nothing. */
    @Nullable
    Load takeLoad() {
        return reported.getAndSet(null);
    }

    /** Does what a frame says, which stays the caller's. */
    void handle(FrameKind kind, ByteBuf frame) {
        if (Header.peer(frame) != 0 && !link.leadsToBroker()) {
            throw new WireException(
                    ErrorCode.PROTOCOL,
                    kind + " of peer " + Header.peer(frame) + " (expected: 0 on a direct connection)");
        }
        switch (kind) {
            case REQUEST -> {
                if (requests.isFirst(Header.id(frame))) {
                    owner.onRequest(link, frame);
                }
            }
            case CHUNK -> link.blocks().onChunk(frame);
            case CREDIT -> link.blocks().onCredit(frame);
            case REPLY -> reply(frame);
            case FAILURE -> failure(frame);
            case TYPES -> link.tables(Header.peer(frame)).announced(Types.read(frame));
            case METHODS -> link.tables(Header.peer(frame)).announced(Methods.read(frame));
            case CANCEL -> {
                Cancel cancel = Cancel.read(frame);
                link.blocks().cancelled(cancel.peer(), cancel.id());
                owner.onCancel(link, cancel.peer(), cancel.id());
            }
            case LANE_END -> owner.onLaneEnd(link, LaneEnd.read(frame));
            case AWAITED -> owner.onAwaited(link, Awaited.read(frame));
            case PULL -> pulls.asked(Pull.read(frame));
            case BEGUN -> begun(Begun.read(frame));
            case MOVED -> {
                Moved moved = Moved.read(frame);
                LinkCall call = calls.remove(moved.id());
                if (call != null) {
                    call.moved(moved.replica());
                }
            }
            case SUSPECTED -> suspected(Suspected.read(frame));
            case SETTLED -> settlements.told(Settled.read(frame));
            case RECALL -> {
                Recall said = Recall.read(frame);
                link.context().memories().recall(link.peer(), said, new Recalled(link, said.id()));
            }
            case LOAD_WATCH, CALL_CLAIM -> owner.onMigration(link, kind, frame);
            case LOADED, CALL_GRANT ->
                throw new WireException(ErrorCode.PROTOCOL, kind + " from a node (expected: to a broker)");
            case PING -> {
                link.write(new Pong(Ping.read(frame).id(), owner.load())
                        .write(link.connection().allocator()));
                link.flushAfterRead();
            }
            case PEER_GONE -> {
                int peer = Header.peer(frame);
                link.endTables(peer);
                link.blocks().peerGone(peer);
                owner.onPeerGone(link, peer);
            }
            case GOAWAY -> link.sentAway(GoAway.read(frame));
            case HELD -> {
                Held held = Held.read(frame);
                owner.onHeld(link.tables(held.peer()), held);
            }
            case HELLO -> throw new WireException(ErrorCode.PROTOCOL, "a second HELLO");
            case DATAGRAMS, RESENT -> throw new WireException(ErrorCode.PROTOCOL, kind + " beside no datagrams");
            case PONG -> reported.set(Pong.read(frame).load());
            case LOOKUP, WATCH, LIST, REGISTER, UNREGISTER, REGISTERED, LEASE, REPLICAS, SERVICES, DRAIN ->
                owner.onRegistry(link, kind, frame);
        }
    }

    private void reply(ByteBuf frame) {
        if (Blocks.follow(frame)) {
            link.blocks().onReply(frame);
            return;
        }
        LinkCall call = calls.remove(Header.id(frame));
        if (call != null) {
            int bytes = frame.readableBytes();
            end(call, FrameKind.REPLY, frame);
            settlements.settled(bytes);
        }
    }

    private void failure(ByteBuf frame) {
        LinkCall call = calls.remove(Header.id(frame));
        if (call != null) {
            link.blocks().forgotten(Header.id(frame));
            end(call, FrameKind.FAILURE, frame);
            settlements.settled(0);
        } else if (!link.blocks().failed(frame)) {
            owner.onRegistry(link, FrameKind.FAILURE, frame);
        }
    }

    private void end(LinkCall call, FrameKind kind, ByteBuf frame) {
        PeerTables from = link.tables(Header.peer(frame));
        call.answeredBy(Header.peer(frame));
        Replies.end(call, kind, frame, from.types());
        link.closeIfDone();
    }

    private void begun(Begun begun) {
        for (long id : begun.calls()) {
            LinkCall call = calls.get(id);
            if (call != null) {
                call.begun();
            }
        }
    }

    private void suspected(Suspected suspected) {
        for (long id : suspected.calls()) {
            LinkCall call = calls.get(id);
            if (call != null) {
                call.replicaSuspected();
            }
        }
    }
}
