package dev.cleave.client;

import dev.cleave.wire.Request;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The arguments of a call while it may have to be sent again: while it is under way as a part of its frame, or as bytes of the
 * heap if they are few, so that the frame can be used for the next call; as bytes of the heap when it has ended and may be made
 * anew. Thread-safe.
 */
final class KeptArguments {

    /** The most bytes that are copied. */
    private static final int FEW = 64;

    private static final byte[] NOTHING = {};

    private static final AtomicReferenceFieldUpdater<KeptArguments, @Nullable Object> KEPT =
            AtomicReferenceFieldUpdater.newUpdater(KeptArguments.class, Object.class, "kept");

    private volatile @Nullable Object kept; // a ByteBuf, to be taken out to release, or bytes
    private byte @Nullable [] rescued; // guarded by this

    /** Keeps those of a frame, which stays the caller's. */
    void keepOf(ByteBuf frame) {
        int begin = frame.readerIndex() + Request.ARGUMENTS_AT;
        int length = frame.readableBytes() - Request.ARGUMENTS_AT;
        if (length > FEW) {
            kept = frame.retainedSlice(begin, length);
            return;
        }
        byte[] bytes = length == 0 ? NOTHING : new byte[length];
        frame.getBytes(begin, bytes);
        kept = bytes;
    }

    /** Takes over a buffer of arguments. */
    void keep(ByteBuf arguments) {
        kept = arguments;
    }

    /** Whether there are any. */
    boolean isThere() {
        return kept != null;
    }

    /** A buffer of them, which is the caller's from now on; null if there are none. */
    @Nullable
    ByteBuf take() {
        Object arguments = takeOut();
        return arguments instanceof byte[] bytes ? Unpooled.wrappedBuffer(bytes) : (ByteBuf) arguments;
    }

    /** Lets them go. */
    void release() {
        if (takeOut() instanceof ByteBuf arguments) {
            arguments.release();
        }
    }

    /** Lets the buffer go and keeps its bytes; those that were kept so last, null if there were none. */
    synchronized byte @Nullable [] rescue() {
        Object arguments = takeOut();
        if (arguments instanceof byte[] bytes) {
            rescued = bytes;
        } else if (arguments instanceof ByteBuf buffer) {
            rescued = new byte[buffer.readableBytes()];
            buffer.getBytes(buffer.readerIndex(), rescued);
            buffer.release();
        }
        return rescued;
    }

    private @Nullable Object takeOut() {
        return kept == null ? null : KEPT.getAndSet(this, null);
    }
}
