package dev.cleave.client;

import dev.cleave.call.Link;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.replica.Keys;
import dev.cleave.wire.Attachments;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Rating;
import dev.cleave.wire.RequestFrame;
import dev.cleave.wire.RequestHead;
import dev.cleave.wire.RequestOptions;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * The request of a call, kept while it may have to be sent again. Type and method numbers are those of the node, so
 * the kept bytes fit any link.
 *
 * <p>While the call is under way its arguments are kept as a part of their frame; up to {@value #FEW} bytes are copied
 * to the heap, so that the frame can be re-used. When the call has ended and may be made again they are kept on the
 * heap. Thread-safe, except the setters that are called before the call is sent.
 */
final class Request {

    /** The most bytes of arguments that are copied. */
    private static final int FEW = 256;

    private static final byte[] NOTHING = {};

    private static final AtomicReferenceFieldUpdater<Request, @Nullable Object> KEPT =
            AtomicReferenceFieldUpdater.newUpdater(Request.class, Object.class, "kept");

    private int highestType = -1;
    private volatile boolean booked = true;
    private volatile Attached attached = Attached.NOTHING; // replaced before the call is sent, and when it has ended
    private volatile @Nullable Object kept; // a ByteBuf, to be taken out to release, or bytes
    private byte @Nullable [] rescued; // guarded by this
    private byte @Nullable []
            spare; // the array of the call before, to be re-used; only for the thread that owns the call

    /**
     * The parts of a request besides its arguments; most calls have none.
     *
     * @param departed the objects that the arguments refer to
     * @param key equal for calls that go to one replica; null for none
     * @param rating the priority of the call; null if it has none
     * @param blocks the arguments that follow the frame
     * @param path the calls that wait for this call
     * @param around deadline and attachments of its own
     */
    private record Attached(
            List<Object> departed,
            @Nullable Object key,
            @Nullable Rating rating,
            RequestStream blocks,
            WaitPath path,
            Surroundings around) {

        private static final Attached NOTHING =
                new Attached(List.of(), null, null, RequestStream.NONE, WaitPath.NONE, Surroundings.NONE);
    }

    /** Whether {@code length} bytes of arguments are copied, so that the frame may be changed. */
    static boolean areCopied(int length) {
        return length <= FEW;
    }

    /** Resets the request for the next call of the same object. */
    void renew() {
        if (attached != Attached.NOTHING) {
            attached = Attached.NOTHING;
        }
    }

    /** Takes over the attachments of another call, which is made again. */
    void continues(Request other) {
        Attached all = other.attached;
        if (all != Attached.NOTHING) {
            attached = new Attached(all.departed, all.key, all.rating, all.blocks.again(), WaitPath.NONE, all.around);
        }
    }

    /** Sets the key, which is equal for calls that go to one replica. */
    void belongsTo(@Nullable Object common) {
        Attached all = attached;
        if (common != null) {
            attached = new Attached(all.departed, common, all.rating, all.blocks, all.path, all.around);
        }
    }

    /** Sets the priority of the call. */
    void isRated(Rating rating) {
        Attached all = attached;
        attached = new Attached(all.departed, all.key, rating, all.blocks, all.path, all.around);
    }

    /** Returns the priority of the call; null if it has none. */
    @Nullable
    Rating rating() {
        return attached.rating;
    }

    /** Sets the objects that the arguments refer to. */
    void carries(List<Object> objects) {
        Attached all = attached;
        if (!objects.isEmpty()) {
            attached = new Attached(objects, all.key, all.rating, all.blocks, all.path, all.around);
        }
    }

    /** Sets the arguments that follow the frame. */
    void isFollowedBy(RequestStream following) {
        Attached all = attached;
        attached = new Attached(all.departed, all.key, all.rating, following, all.path, all.around);
    }

    /** Sets the calls that wait for this call. */
    void isBehind(WaitPath waiting) {
        Attached all = attached;
        if (waiting != WaitPath.NONE) {
            attached = new Attached(all.departed, all.key, all.rating, all.blocks, waiting, all.around);
        }
    }

    /** Sets what the call has besides its method and arguments. */
    void isWithin(Surroundings around) {
        Attached all = attached;
        if (around != Surroundings.NONE) {
            attached = new Attached(all.departed, all.key, all.rating, all.blocks, all.path, around);
        }
    }

    /** Returns what the call has besides its method and arguments. */
    Surroundings around() {
        return attached.around;
    }

    /** Returns the calls that wait for this call. */
    WaitPath path() {
        return attached.path;
    }

    /** Records whether it is known who has the objects that the arguments refer to. */
    void areBooked(boolean known) {
        booked = known;
    }

    /** Whether it is known who has the objects that the arguments refer to: the server that has answered, or no server. */
    boolean areBooked() {
        return booked;
    }

    /** Returns the objects that the arguments refer to. */
    List<Object> departed() {
        return attached.departed;
    }

    /** Returns the arguments that follow the frame. */
    RequestStream blocks() {
        return attached.blocks;
    }

    /** Returns the key, which is equal for calls that go to one replica; null for none. */
    @Nullable
    Object key() {
        return attached.key;
    }

    /** Whether the request can go over any link: it has no references and no streams. */
    boolean isFree() {
        Attached all = attached;
        return all == Attached.NOTHING || all.departed.isEmpty() && all.blocks == RequestStream.NONE;
    }

    /** Sets the highest number of a type among the arguments; it is announced before they are sent. */
    void announces(int highest) {
        highestType = highest;
    }

    int highestType() {
        return highestType;
    }

    /**
     * Returns the options that the request has on every way: its large arguments, its attachments, and its path, if the
     * frame does not get too long.
     */
    RequestOptions options(int argumentBytes) {
        RequestOptions needed = RequestOptions.NONE
                .followedBy(blocks().announcements())
                .with(around().attachments())
                .rated(rating());
        RequestOptions all = needed.behind(path().path());
        return all == needed || all.fit(argumentBytes + RequestFrame.ROOM) ? all : needed;
    }

    /** Returns options as the peer of a link reads them: without attachments and rating if it knows none. */
    static RequestOptions readable(Link link, RequestOptions options) {
        RequestOptions known = options.rating() == null || link.has(Hello.RATINGS) ? options : options.rated(null);
        return known.attachments().isEmpty() || link.has(Hello.ATTACHMENTS) ? known : known.with(Attachments.NONE);
    }

    /** Adds the key of the call to options if a broker chooses the replica and the frame does not get too long. */
    RequestOptions by(Hop way, RequestOptions every, int argumentBytes) {
        RequestOptions options = readable(way.link(), every);
        Object key = key();
        if (key == null || way.replica() != null || (way.link().peer().features() & Hello.KEYS) == 0) {
            return options;
        }
        RequestOptions keyed = options.keyed(Keys.hash(key));
        return keyed.fit(argumentBytes) ? keyed : options;
    }

    /** Keeps the arguments of a frame without options. The caller keeps the frame. */
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
        KEPT.lazySet(this, bytes); // other threads see it once a link has taken the call
    }

    /** Takes over a buffer of arguments. */
    void keep(ByteBuf arguments) {
        kept = arguments;
    }

    /** Whether the arguments of its frame are kept now. */
    boolean isKept() {
        return kept != null;
    }

    /** Whether all of it is kept now, and it can go over any link. */
    boolean isWhole() {
        return isKept() && isFree();
    }

    /** Takes out the kept arguments as a buffer, which the caller owns; null if none are kept. */
    @Nullable
    ByteBuf take() {
        Object arguments = takeOut();
        return arguments instanceof byte[] bytes ? Unpooled.wrappedBuffer(bytes) : (ByteBuf) arguments;
    }

    /** Releases everything that is kept. */
    void release() {
        Object arguments = takeOut();
        if (arguments instanceof ByteBuf buffer) {
            buffer.release();
        } else if (arguments instanceof byte[] bytes) {
            spare = bytes;
        }
        Attached all = attached;
        if (all.blocks != RequestStream.NONE) {
            attached = new Attached(all.departed, all.key, all.rating, all.blocks.over(), all.path, all.around);
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
