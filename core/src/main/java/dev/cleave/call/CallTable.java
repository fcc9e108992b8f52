package dev.cleave.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The calls of one link that wait for their outcome, by their numbers. Numbers ascend, so a ring of a power of two serves: it
 * doubles when the slot of a new number is still taken. Thread-safe.
 */
final class CallTable {

    private static final int FIRST = 16;
    private static final @Nullable LinkCall[] NO_CALLS = new @Nullable LinkCall[1]; // never written to
    private static final long[] NO_IDS = new long[1];

    @GuardedBy("this")
    private @Nullable LinkCall[] calls = NO_CALLS; // until there is a call: most links of a server never make one

    @GuardedBy("this")
    private long[] ids = NO_IDS;

    @GuardedBy("this")
    private long next = 1;

    @GuardedBy("this")
    private long lowest = 1; // none below waits

    private volatile int size; // written under this

    @GuardedBy("this")
    private boolean closed;

    @GuardedBy("this")
    private boolean full; // takes no more, and keeps what it has

    /** Enters a call and returns its number, or -1 if the link is gone. */
    synchronized long add(LinkCall call) {
        if (closed || full) {
            return -1;
        }
        if (calls == NO_CALLS) {
            calls = new @Nullable LinkCall[FIRST];
            ids = new long[FIRST];
        }
        long id = next++;
        while (calls[slot(id)] != null) {
            grow();
        }
        calls[slot(id)] = call;
        ids[slot(id)] = id;
        size++;
        return id;
    }

    /** Takes out the call with a number, or null if there is none. */
    synchronized @Nullable LinkCall remove(long id) {
        int slot = slot(id);
        LinkCall call = calls[slot];
        if (call == null || ids[slot] != id) {
            return null;
        }
        calls[slot] = null;
        size--;
        return call;
    }

    /** Lets no more calls in; those that wait go on. */
    synchronized void refuseMore() {
        full = true;
    }

    /** The call with a number, or null if there is none. */
    synchronized @Nullable LinkCall get(long id) {
        int slot = slot(id);
        return ids[slot] == id ? calls[slot] : null;
    }

    /** The lowest number of a call that waits, or has not been entered yet. */
    synchronized long lowest() {
        while (lowest < next && (calls[slot(lowest)] == null || ids[slot(lowest)] != lowest)) {
            lowest++;
        }
        return lowest;
    }

    /** Takes out all calls, in the order in which they were entered, and lets none in any more. */
    synchronized List<LinkCall> close() {
        closed = true;
        List<LinkCall> left = all();
        calls = NO_CALLS;
        ids = NO_IDS;
        size = 0;
        return left;
    }

    /** The calls that wait, in the order in which they were entered. */
    synchronized List<LinkCall> all() {
        List<LinkCall> left = new ArrayList<>();
        for (long id = Math.max(1, next - calls.length); id < next; id++) {
            LinkCall call = calls[slot(id)];
            if (call != null && ids[slot(id)] == id) {
                left.add(call);
            }
        }
        return left;
    }

    int size() {
        return size;
    }

    @GuardedBy("this")
    private int slot(long id) {
        return (int) id & calls.length - 1;
    }

    @GuardedBy("this")
    private void grow() {
        @Nullable LinkCall[] before = calls;
        long[] idsBefore = ids;
        calls = new @Nullable LinkCall[before.length * 2];
        ids = new long[before.length * 2];
        for (int i = 0; i < before.length; i++) {
            if (before[i] != null) {
                calls[slot(idsBefore[i])] = before[i];
                ids[slot(idsBefore[i])] = idsBefore[i];
            }
        }
    }
}
