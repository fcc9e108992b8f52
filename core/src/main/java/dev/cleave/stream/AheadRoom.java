package dev.cleave.stream;

import dev.cleave.config.MemoryBounds;
import java.util.concurrent.atomic.AtomicLong;

/**
 * How many bytes a node takes for calls whose callers have not come to their places: at the caller their arguments,
 * until they have ended, and their results, until the program takes them; at the server their large arguments. It is
 * apart from the {@linkplain ReceiveBudget bound of arriving values}, so that calls sent ahead take no room from calls
 * at their places. Thread-safe.
 */
public final class AheadRoom {

    /** Calls that need fewer bytes than this are not counted. */
    public static final int LEAST = 4 << 10;

    private final long bound;
    private final AtomicLong taken = new AtomicLong();

    AheadRoom(long bound) {
        this.bound = bound;
    }

    /** Returns the bytes that may be taken together. */
    public long bound() {
        return bound;
    }

    /** Returns the bytes that are taken. */
    public long taken() {
        return taken.get();
    }

    /** Whether {@code bytes} bytes could be taken now. */
    public boolean has(long bytes) {
        return bytes <= bound - taken.get();
    }

    /** Takes bytes if there are enough; returns whether there were. */
    public boolean reserve(long bytes) {
        long now = taken.get();
        while (bytes <= bound - now) {
            if (taken.compareAndSet(now, now + bytes)) {
                MemoryBounds.AHEAD.add(bytes);
                return true;
            }
            now = taken.get();
        }
        return false;
    }

    /** Takes bytes that are in use already, even if there is no room. */
    public void add(long bytes) {
        taken.addAndGet(bytes);
        MemoryBounds.AHEAD.add(bytes);
    }

    /** Gives bytes back. */
    public void release(long bytes) {
        taken.addAndGet(-bytes);
        MemoryBounds.AHEAD.add(-bytes);
    }
}
