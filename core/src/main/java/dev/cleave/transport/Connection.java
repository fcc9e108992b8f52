package dev.cleave.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.locks.LockSupport;

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

    /** About how many bytes have been written that the peer's side has not taken. */
    default long unsent() {
        return 0;
    }

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

    /**
     * Lets the current thread wait until something has come that frames of this connection bring, or the time has; may
     * return early. Meanwhile the thread may deliver frames of this and other connections, in the place of the event
     * thread. Who brings what is awaited unparks the thread, and then calls {@link #wakeWaiting}.
     *
     * @param atNanos when to return at the latest, as {@link System#nanoTime}
     * @throws IllegalStateException where it is certain that the current thread would wait for itself
     */
    default void await(WaitCondition awaited, long atNanos) {
        long left = atNanos - System.nanoTime();
        if (left > 0 && !awaited.isDone()) {
            LockSupport.parkNanos(awaited, left);
        }
    }

    /** What a thread awaits has come, or is to be awaited elsewhere: a thread that delivers frames looks up. */
    default void wakeWaiting() {}

    /**
     * Says whether the current thread, which delivers a frame, may run code of the program: it may not while it {@linkplain
     * #await waits}, for it may hold any lock.
     */
    default boolean mayRunProgram() {
        return true;
    }

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
