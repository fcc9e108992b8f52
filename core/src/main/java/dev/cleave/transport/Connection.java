package dev.cleave.transport;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A two-way, ordered, reliable sequence of frames.
 *
 * <p>Thread-safe. Frames written by one thread arrive in the order written.
 */
public interface Connection extends AutoCloseable {

    /** The allocator of buffers for {@link #write}. */
    ByteBufAllocator allocator();

    /**
     * Takes ownership of a complete frame, header included, to be sent at the next {@link #flush()}. A frame written to a
     * closed connection is released and dropped.
     */
    void write(ByteBuf frame);

    /** Sends the frames that have been written. May be called from any thread, and returns without waiting. */
    void flush();

    /**
     * Whether written frames pile up because the peer does not read. Bulk producers stop at {@code false} until
     * {@link FrameHandler#onWritable}.
     */
    boolean isWritable();

    /** The approximate number of written bytes that the peer has not read. */
    default long unsent() {
        return 0;
    }

    /**
     * Stops or resumes reading from the peer, which slows the peer down. Frames that have been read already still
     * arrive. While reading is stopped, the end of the connection may go unnoticed.
     */
    void reading(boolean enabled);

    /**
     * Runs a task on the thread that delivers this connection's frames.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the transport has been closed
     */
    void execute(Runnable task);

    /**
     * Runs a task that only writes and flushes frames as {@link #execute} does, or at once on the current thread if no
     * thread delivers frames now: then that thread stands in for the one that does.
     *
     * @throws java.util.concurrent.RejectedExecutionException if the transport has been closed
     */
    default void executeHere(Runnable task) {
        execute(task);
    }

    /**
     * Blocks the current thread until a condition holds that frames of this connection fulfil, or until a time; may
     * return early. Meanwhile the thread may deliver frames of this and other connections, in place of the event
     * thread. The code that fulfils the condition unparks the thread, and then calls {@link #wakeWaiting}.
     *
     * @param atNanos the latest time to return, as {@link System#nanoTime}
     * @throws IllegalStateException where it is certain that the current thread would wait for itself
     */
    default void await(WaitCondition awaited, long atNanos) {
        long left = atNanos - System.nanoTime();
        if (left > 0 && !awaited.isDone()) {
            LockSupport.parkNanos(awaited, left);
        }
    }

    /**
     * Makes a waiting thread that delivers frames check its condition: the condition holds, or the thread must wait
     * elsewhere.
     */
    default void wakeWaiting() {}

    /**
     * Says whether the current thread, which delivers a frame, may run code of the program: it may not while it {@linkplain
     * #await waits}, for it may hold any lock.
     */
    default boolean mayRunProgram() {
        return true;
    }

    /**
     * How a worker delivers the frames of this connection, and of others that share its event thread; null if only the event
     * thread and threads that {@linkplain #await wait} deliver them.
     */
    default @Nullable Leading leading() {
        return null;
    }

    /** The other side, for messages. */
    Endpoint peer();

    /**
     * The address of this side as the other side sees it, of numbers, IPv6 in brackets; null in the same process.
     */
    default @Nullable String localHost() {
        return null;
    }

    /** The identity that the other side has proved, for the life of the connection; null if it was not asked to. */
    default @Nullable String identity() {
        return null;
    }

    /** Asks the other side for a token before HELLO; null if it need not have one. Event thread only. */
    default @Nullable ProofCheck proofCheck() {
        return null;
    }

    /** Proves the identity of this side when the other side asks for a token; null if it has none. */
    default @Nullable Prover prover() {
        return null;
    }

    /** Whether what it carries leaves this host, so that bytes cost more than comparing them. */
    default boolean isToOtherHost() {
        return true;
    }

    /** Whether bits may change on the way unseen: the other side is on another host, and the connection is not encrypted. */
    default boolean isExposed() {
        return false;
    }

    /**
     * Sends the checksum of each frame from now on, and expects those of the other side. Called on the event thread, before
     * frames other than HELLO are written.
     */
    default void checkFrames() {}

    /** Says that no frame will be sent or received any more. */
    boolean isClosed();

    /**
     * Closes the connection once all written frames, flushed or not, are sent, or a second has passed. No frame is
     * delivered any more; the handler's {@link FrameHandler#onClose} follows, once.
     */
    @Override
    void close();
}
