package dev.cleave.call;

import dev.cleave.wire.Awaited;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Held;
import dev.cleave.wire.LaneEnd;
import dev.cleave.wire.Load;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** Told what comes over a link besides replies to its calls. Always on the link's event thread; may not block. */
public interface LinkOwner {

    /** The link stands; called once, before anything else. */
    void onOpened(Link link);

    /** A call has come. To keep the frame, retain it; its reader index is at the header. */
    void onRequest(Link link, ByteBuf frame);

    /** The caller has given up a call. */
    void onCancel(Link link, int peer, long id);

    /** The caller sends no more calls in a lane. */
    void onLaneEnd(Link link, LaneEnd end);

    /** Somebody waits for calls that have come. */
    void onAwaited(Link link, Awaited awaited);

    /** A relayed client has gone: its calls that have not begun are of no use. */
    void onPeerGone(Link link, int peer);

    /** A peer holds an object of this node more or fewer times than before. */
    void onHeld(PeerTables peer, Held change);

    /** A LOAD_WATCH or CALL_CLAIM has come: calls that wait here may move to other replicas. */
    void onMigration(Link link, FrameKind kind, ByteBuf frame);

    /** An answer or notice of the registry has come, or a FAILURE that belongs to no call. */
    void onRegistry(Link link, FrameKind kind, ByteBuf frame);

    /** The peer of a link is suspect from now on, or not any more ({@link Link#isSuspect}), or {@linkplain Link#isLeaving leaves}. */
    void onSuspicion(Link link);

    /** The link is gone; called once, after the outcome of its calls has been settled. */
    void onClosed(Link link, @Nullable Throwable cause);

    /** How busy this node is. */
    Load load();
}
