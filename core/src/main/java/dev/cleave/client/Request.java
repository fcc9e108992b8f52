package dev.cleave.client;

import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.replica.Keys;
import dev.cleave.wire.Hello;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * What a call asks of its server, kept while it may have to be asked again. Type and method numbers are those of the node, so the
 * kept bytes fit any link.
 *
 * <p>The arguments are kept as a part of their frame while the call is under way, or as bytes of the heap if they are few, so that
 * the frame can be used for the next call; as bytes of the heap when the call has ended and may be made anew. Thread-safe, but for
 * what is set before the call is sent.
 */
final class Request {

    /** The most bytes that are copied. */
    private static final int FEW = 256;

    private static final byte[] NOTHING = {};

    private static final AtomicReferenceFieldUpdater<Request, @Nullable Object> KEPT =
            AtomicReferenceFieldUpdater.newUpdater(Request.class, Object.class, "kept");

    private int highestType = -1;
    private volatile Attached attached = Attached.NOTHING; // replaced before the call is sent, and when it has ended
    private volatile @Nullable Object kept; // a ByteBuf, to be taken out to release, or bytes
    private byte @Nullable [] rescued; // guarded by this
    private byte @Nullable []
            spare; // of the call before, if this was let go with it; of the thread that has the call to itself

    /**
     * What goes with the arguments, for most calls nothing.
     *
     * @param departed the objects of which references are among the arguments
     * @param key what calls that belong together have in common; null for nothing
     * @param blocks the arguments that follow the frame
     * @param path what waits for the call
     */
    private record Attached(List<Object> departed, @Nullable Object key, RequestStream blocks, WaitPath path) {

        private static final Attached NOTHING = new Attached(List.of(), null, RequestStream.NONE, WaitPath.NONE);
    }

    /** Whether {@code length} bytes of arguments are copied, so that the frame may be changed. */
    static boolean areCopied(int length) {
        return length <= FEW;
    }

    /** As new, for the next call of the same object. */
    void renew() {
        if (attached != Attached.NOTHING) {
            attached = Attached.NOTHING;
        }
    }

    /** Begins as that of another call, which is made once more. */
    void continues(Request other) {
        Attached all = other.attached;
        if (all != Attached.NOTHING) {
            attached = new Attached(all.departed, all.key, all.blocks.again(), WaitPath.NONE);
        }
    }

    /** The call has so much in common with others, which it belongs to. */
    void belongsTo(@Nullable Object common) {
        Attached all = attached;
        if (common != null) {
            attached = new Attached(all.departed, common, all.blocks, all.path);
        }
    }

    /** The objects of which references are among the arguments. */
    void carries(List<Object> objects) {
        Attached all = attached;
        if (!objects.isEmpty()) {
            attached = new Attached(objects, all.key, all.blocks, all.path);
        }
    }

    /** Some of its arguments follow its frame. */
    void isFollowedBy(RequestStream following) {
        Attached all = attached;
        attached = new Attached(all.departed, all.key, following, all.path);
    }

    /** Some calls wait for it. */
    void isBehind(WaitPath waiting) {
        Attached all = attached;
        if (waiting != WaitPath.NONE) {
            attached = new Attached(all.departed, all.key, all.blocks, waiting);
        }
    }

    /** What waits for it. */
    WaitPath path() {
        return attached.path;
    }

    /** The objects of which references are among the arguments. */
    List<Object> departed() {
        return attached.departed;
    }

    /** The arguments that follow its frame. */
    RequestStream blocks() {
        return attached.blocks;
    }

    /** What calls that belong together have in common; null for nothing. */
    @Nullable
    Object key() {
        return attached.key;
    }

    /** Whether nothing of it binds it to the link that it goes over first. */
    boolean isFree() {
        Attached all = attached;
        return all == Attached.NOTHING || all.departed.isEmpty() && all.blocks == RequestStream.NONE;
    }

    /** The highest number of a type among the arguments; announced before they are sent. */
    void announces(int highest) {
        highestType = highest;
    }

    int highestType() {
        return highestType;
    }

    /**
     * The options that are said wherever it is sent: its large arguments, the arguments that are results of earlier calls, and its path, if
     * the frame is not too long with that.
     */
    RequestOptions options(PassedResults passed, int argumentBytes) {
        RequestOptions needed =
                RequestOptions.NONE.followedBy(blocks().announcements()).lacking(passed.pending());
        RequestOptions all = needed.behind(path().path());
        return all == needed || all.fit(argumentBytes + RequestFrame.ROOM) ? all : needed;
    }

    /** These options, and the key of the call if a broker chooses the replica, and the frame is not too long with it. */
    RequestOptions by(Hop way, RequestOptions options, int argumentBytes) {
        Object key = key();
        if (key == null || way.replica() != null || (way.link().peer().features() & Hello.KEYS) == 0) {
            return options;
        }
        RequestOptions keyed = options.keyed(Keys.hash(key));
        return keyed.fit(argumentBytes) ? keyed : options;
    }

    /** Keeps the arguments of a frame without options, which stays the caller's. */
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

    /** Whether the arguments of its frame are kept now. */
    boolean isKept() {
        return kept != null;
    }

    /** Whether all of it is kept now, and nothing binds it to a link. */
    boolean isWhole() {
        return isKept() && isFree();
    }

    /** A buffer of the kept arguments, which is the caller's from now on; null if none are kept. */
    @Nullable
    ByteBuf take() {
        Object arguments = takeOut();
        return arguments instanceof byte[] bytes ? Unpooled.wrappedBuffer(bytes) : (ByteBuf) arguments;
    }

    /** Lets go of all that is kept. */
    void release() {
        Object arguments = takeOut();
        if (arguments instanceof ByteBuf buffer) {
            buffer.release();
        } else if (arguments instanceof byte[] bytes) {
            spare = bytes;
        }
        Attached all = attached;
        if (all.blocks != RequestStream.NONE) {
            attached = new Attached(all.departed, all.key, RequestStream.OVER, all.path);
        }
    }

    /** Releases the buffer of the arguments, and returns their bytes, which are kept; null if there never were any. */
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
