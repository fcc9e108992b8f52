package dev.cleave.transport;

import io.netty.buffer.ByteBuf;
import org.jspecify.annotations.Nullable;

/**
 * Receives the events of one connection, always on its event thread, one at a time, in order: {@link #onOpen}
 * once, then frames, then {@link #onClose} once. Nothing follows {@code onClose}. May not block. A handler that throws
 * loses its connection, with its exception as the cause.
 */
public interface FrameHandler {

    /** Called once when the connection is open, before any frame. */
    void onOpen(Connection connection);

    /**
     * Receives a complete frame, header included, of a length within the limits. The handler may read the buffer during
     * the call; to keep it, it must retain it.
     */
    void onFrame(Connection connection, ByteBuf frame);

    /** Called when all frames of one read have been delivered: the moment to flush replies. */
    default void onReadComplete(Connection connection) {}

    /** Called when the written frames have drained after {@link Connection#isWritable} had been {@code false}. */
    default void onWritable(Connection connection) {}

    /**
     * Called when the connection has ended.
     *
     * @param cause the reason, or null if either side closed it in order; a {@link dev.cleave.wire.WireException} if
     * the peer sent bytes that are no frame, or too long a frame
     */
    void onClose(Connection connection, @Nullable Throwable cause);
}
