package dev.cleave.client;

import dev.cleave.wire.Request;
import io.netty.buffer.ByteBuf;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call while it may have to be sent again: in a buffer while it is under way, as bytes of the heap when it
 * has ended and may be made anew. Thread-safe.
 */
final class KeptArguments {

    private static final AtomicReferenceFieldUpdater<KeptArguments, @Nullable ByteBuf> KEPT =
            AtomicReferenceFieldUpdater.newUpdater(KeptArguments.class, ByteBuf.class, "kept");

    private volatile @Nullable ByteBuf kept; // taken out to release
    private byte @Nullable [] rescued; // guarded by this

    /** Keeps those of a frame, which stays the caller's. */
    void keepOf(ByteBuf frame) {
        keep(frame.retainedSlice(
                frame.readerIndex() + Request.ARGUMENTS_AT, frame.readableBytes() - Request.ARGUMENTS_AT));
    }

    /** Takes over a buffer of arguments. */
    void keep(ByteBuf arguments) {
        kept = arguments;
    }

    /** Whether there is a buffer. */
    boolean isThere() {
        return kept != null;
    }

    /** The buffer, which is the caller's from now on; null if there is none. */
    @Nullable
    ByteBuf take() {
        return kept == null ? null : KEPT.getAndSet(this, null);
    }

    /** Lets the buffer go. */
    void release() {
        ByteBuf arguments = take();
        if (arguments != null) {
            arguments.release();
        }
    }

    /** Lets the buffer go and keeps its bytes; those that were kept so last, null if there were none. */
    synchronized byte @Nullable [] rescue() {
        ByteBuf arguments = take();
        if (arguments != null) {
            rescued = new byte[arguments.readableBytes()];
            arguments.getBytes(arguments.readerIndex(), rescued);
            arguments.release();
        }
        return rescued;
    }
}
