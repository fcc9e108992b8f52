package dev.cleave.transport;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.Timer;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One direction of an emulated link: frames come out in the order in which they went in, each not before its time.
 *
 * <p>Thread-safe. {@code onDue} is called on the timer's thread when the first frame is due; its code then calls
 * {@link #poll} until that returns null, which sets the timer for the next frame.
 */
final class DelayLine {

    private final Supplier<LinkProfile> profile;
    private final Timer timer;
    private final Runnable onDue;
    private final AtomicLong bytes = new AtomicLong();

    @GuardedBy("this")
    private final Deque<Item> items = new ArrayDeque<>();

    @GuardedBy("this")
    private long freeAt;

    @GuardedBy("this")
    private boolean armed;

    DelayLine(Supplier<LinkProfile> profile, Timer timer, Runnable onDue) {
        this.profile = profile;
        this.timer = timer;
        this.onDue = onDue;
        this.freeAt = timer.nanos();
    }

    /** Takes ownership of a frame that enters the link now. */
    synchronized void add(ByteBuf frame) {
        bytes.addAndGet(frame.readableBytes());
        boolean reply = Header.kind(frame) == FrameKind.REPLY;
        enter(frame, profile.get().occupancyNanos(frame.readableBytes(), reply));
    }

    /** Adds the end of the line: no frame follows. */
    synchronized void addEnd() {
        enter(null, 0);
    }

    /** Returns the next item if it is due, else null; the caller owns its frame. */
    synchronized @Nullable Item poll() {
        Item first = items.peek();
        if (first == null) {
            return null;
        }
        if (first.atNanos - timer.nanos() > 0) {
            arm(first);
            return null;
        }
        ByteBuf frame = items.remove().frame;
        if (frame != null) {
            bytes.addAndGet(-frame.readableBytes());
        }
        return first;
    }

    /** The number of bytes in the line. */
    long bytes() {
        return bytes.get();
    }

    synchronized void release() {
        for (Item item : items) {
            if (item.frame != null) {
                item.frame.release();
            }
        }
        items.clear();
        bytes.set(0);
    }

    @GuardedBy("this")
    private void enter(@Nullable ByteBuf frame, long occupancyNanos) {
        long now = timer.nanos();
        freeAt = (freeAt - now > 0 ? freeAt : now) + occupancyNanos;
        Item item = new Item(freeAt + profile.get().delay().toNanos(), frame);
        items.add(item);
        if (items.size() == 1) {
            arm(item);
        }
    }

    @GuardedBy("this")
    private void arm(Item first) {
        if (!armed) {
            armed = true;
            timer.scheduleAt(first.atNanos, this::due);
        }
    }

    private void due() {
        synchronized (this) {
            armed = false;
        }
        onDue.run();
    }

    /** A frame, or the end of the line if it is null, with the time at which it leaves the line. */
    record Item(long atNanos, @Nullable ByteBuf frame) {}
}
