package dev.cleave.transport;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Receives what happens on one connection, always on its event thread, one event at a time, in order: {@link #onOpen}
 * once, then frames, then {@link #onClose} once. Nothing follows {@code onClose}. May not block. A handler that throws
 * loses its connection, with what it threw as the cause.
 */
public interface FrameHandler {

    /** The connection stands. Called once, before any frame. */
    void onOpen(Connection connection);

    /**
     * A complete frame, header included, of a length within the limits. The buffer is the callee's to read during the
     * call; to keep it, retain it.
     */
    void onFrame(Connection connection, ByteBuf frame);

    /** The frames that one read brought have all been delivered: the moment to flush answers. */
    default void onReadComplete(Connection connection) {}

    /** What was written has drained after {@link Connection#isWritable} had been {@code false}. */
    default void onWritable(Connection connection) {}

    /**
     * The connection is gone.
     *
     * @param cause why, or null if either side closed it in order; a {@link dev.cleave.wire.WireException} if the peer
     *     sent what is no frame or too long a one
     */
    void onClose(Connection connection, @Nullable Throwable cause);
}
