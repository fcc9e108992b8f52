package dev.cleave.client;

import dev.cleave.wire.RequestHead;
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
    private static final int FEW = 256;

    private static final byte[] NOTHING = {};

    private static final AtomicReferenceFieldUpdater<KeptArguments, @Nullable Object> KEPT =
            AtomicReferenceFieldUpdater.newUpdater(KeptArguments.class, Object.class, "kept");

    private volatile @Nullable Object kept; // a ByteBuf, to be taken out to release, or bytes
    private byte @Nullable [] rescued; // guarded by this
    private byte @Nullable []
            spare; // of the call before, if this was let go with it; of the thread that has the call to itself

    /** Whether so many bytes of arguments are copied, so that those of the frame may move. */
    static boolean areCopied(int length) {
        return length <= FEW;
    }

    /** Keeps those of a frame without options, which stays the caller's. */
    void keepOf(ByteBuf frame) {
        int begin = frame.readerIndex() + RequestHead.PLAIN_LENGTH;
        int length = frame.readableBytes() - RequestHead.PLAIN_LENGTH;
        if (!areCopied(length)) {
            kept = frame.retainedSlice(begin, length);
            return;
        }
        byte[] last = spare;
        spare = null;
        byte[] bytes = length == 0 ? NOTHING : last != null && last.length == length ? last : new byte[length];
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
        Object arguments = takeOut();
        if (arguments instanceof ByteBuf buffer) {
            buffer.release();
        } else if (arguments instanceof byte[] bytes) {
            spare = bytes;
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
