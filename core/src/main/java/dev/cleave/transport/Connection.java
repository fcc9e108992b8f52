package dev.cleave.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * A two-way, ordered, reliable sequence of frames.
 *
 * <p>Thread-safe. Frames written by one thread arrive in the order written.
 */
public interface Connection extends AutoCloseable {

    /** Where buffers for {@link #write} come from. */
    ByteBufAllocator allocator();

    /**
     * Takes ownership of a complete frame, header included, to be sent at the next {@link #flush()}. A frame written to a
     * closed connection is released and dropped.
     */
    void write(ByteBuf frame);

    /** Sends what has been written. May be called from any thread, and returns without waiting. */
    void flush();

    /**
     * Whether written frames pile up because the peer does not read. Bulk producers stop at {@code false} until
     * {@link FrameHandler#onWritable}.
     */
    boolean isWritable();

    /**
     * Stops or resumes reading from the peer, to push back on it. Frames that have been read already still arrive. While
     * reading is stopped, the end of the connection may go unnoticed.
     */
    void reading(boolean enabled);

    /**
     * Runs a task on the thread that delivers this connection's frames.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the transport has been closed
     */
    void execute(Runnable task);

    /** The other side, for messages. */
    Endpoint peer();

    /** Says that no frame will be sent or received any more. */
    boolean isClosed();

    /**
     * Closes, after what has been written, flushed or not, is sent or a second has passed. No frame is delivered any
     * more; the handler's {@link FrameHandler#onClose} follows, once.
     */
    @Override
    void close();
}
