package dev.cleave.client;

import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.concurrent.AgeingQueue;
import dev.cleave.replica.Placement;
import dev.cleave.wire.Rating;
import dev.cleave.wire.RequestOptions;
import io.netty.buffer.ByteBuf;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A call that waits in the {@link CallerLine} of its service, and has not been sent. Owns its frame. One thread takes it
 * out: the one that sends it, or the one that ends the call before.
 */
final class HeldCall extends AgeingQueue.Entry {

    private final OutboundCall call;
    private final CalledService service;
    private final ByteBuf frame;
    private final RequestOptions options;
    private final @Nullable Object key;
    private volatile @Nullable CallerLine line; // null before it waits
    private volatile @Nullable Function<@Nullable Placement, Hop> way; // finds the way to a replica

    /**
     * Prepares a call to wait; it keeps the frame only if it does.
     *
     * @param options of the call on every way
     * @param key what the policy knows of the call
     * @param byTime whether a call without a priority is ordered by its time, whether or not its caller is blocked on it
     */
    HeldCall(
            OutboundCall call,
            CalledService service,
            ByteBuf frame,
            RequestOptions options,
            @Nullable Object key,
            boolean byTime) {
        this.call = call;
        this.service = service;
        this.frame = frame;
        this.options = options;
        this.key = key;
        Rating rating = call.request().rating();
        prefersBlocked(rating == null ? !byTime : rating.prefersBlocked());
        priority(rating == null ? 0 : rating.value());
        if (call.isAwaitedFromBeginning()) {
            awaited();
        }
    }

    OutboundCall call() {
        return call;
    }

    CalledService service() {
        return service;
    }

    ByteBuf frame() {
        return frame;
    }

    @Nullable
    Object key() {
        return key;
    }

    /** Returns the options of its frame: its caller may have been blocked on it meanwhile. */
    RequestOptions options() {
        return isAwaited() ? options.and(RequestOptions.AWAITED) : options;
    }

    /** Records where it waits, and how its way is found when a replica has room. Before it waits. */
    void waitsIn(CallerLine where, Function<@Nullable Placement, Hop> found) {
        way = found;
        line = where;
        call.isHeld(this);
    }

    /**
     * Returns the way to the replica of a placement, or any way if there is none.
     *
     * @throws NoHopException if there is none
     */
    Hop way(@Nullable Placement placed) {
        Function<@Nullable Placement, Hop> found = way;
        if (found == null) {
            throw new IllegalStateException("a call that does not wait");
        }
        return found.apply(placed);
    }

    /** Notes that the caller is blocked on the call. */
    void promote() {
        CallerLine waiting = line;
        if (waiting != null) {
            waiting.promote(this);
        }
    }

    /** Takes the call out of its line and drops its frame; false if it does not wait there: it was sent, or will be. */
    boolean giveUp() {
        CallerLine waiting = line;
        if (waiting == null || !waiting.take(this)) {
            return false;
        }
        frame.release();
        return true;
    }
}
