package dev.cleave.call;

import dev.cleave.wire.Load;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The node that a link belongs to. All methods are called on the link's event thread and may not block. */
public interface LinkOwner {

    /**
     * Returns the handlers of the node's frames: {@link Link#frames} and its own. Called once for each link, before it
     * opens; all links should share one table.
     */
    default FrameTable<Link> frames() {
        return Link.frames().build();
    }

    /** Says that the link is open; called once, before any other method. */
    default void onOpened(Link link) {}

    /**
     * Handles a FAILURE that belongs to no call of this node. The caller keeps the frame, whose reader index is at the
     * header.
     */
    default void onFailure(Link link, ByteBuf frame) {}

    /**
     * Says that the peer of a link is suspect from now on or no longer ({@link Link#isSuspect}), or {@linkplain
     * Link#isLeaving leaves}.
     */
    default void onSuspicion(Link link) {}

    /** Says that the link is gone; called once, after the outcome of its calls has been settled. */
    default void onClosed(Link link, @Nullable Throwable cause) {}

    /** Returns how busy this node is. */
    default Load load() {
        return Load.NONE;
    }
}
