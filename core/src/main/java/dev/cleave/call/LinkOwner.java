package dev.cleave.call;

import dev.cleave.wire.Load;
import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/** The node that a link belongs to. All methods are called on the link's event thread and may not block. */
public interface LinkOwner {

    /**
     * What the node does with frames: {@link Link#frames} and its own handlers. Called once for each link, before it stands; all links
     * should share one table.
     */
    default FrameTable<Link> frames() {
        return Link.frames().build();
    }

    /** The link stands; called once, before anything else. */
    default void onOpened(Link link) {}

    /** A FAILURE has come that belongs to no call of this node; the frame stays the caller's, its reader index at the header. */
    default void onFailure(Link link, ByteBuf frame) {}

    /** The peer of a link is suspect from now on, or not any more ({@link Link#isSuspect}), or {@linkplain Link#isLeaving leaves}. */
    default void onSuspicion(Link link) {}

    /** The link is gone; called once, after the outcome of its calls has been settled. */
    default void onClosed(Link link, @Nullable Throwable cause) {}

    /** How busy this node is. */
    default Load load() {
        return Load.NONE;
    }
}
