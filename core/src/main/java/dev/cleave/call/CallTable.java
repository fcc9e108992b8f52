package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds the calls of one link that wait for their outcome, by number. Numbers are consecutive, so that the other side
 * recognises a number that comes twice. Calls stand in a ring whose length is a power of two and which doubles when it
 * is nearly full. A call that waits so long that another call needs its slot moves to a map, where it takes one entry.
 * Thread-safe.
 */
final class CallTable {

    private static final VarHandle SIZE;

    static {
        try {
            SIZE = MethodHandles.lookup().findVarHandle(CallTable.class, "size", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static final int FIRST = 16;
    private static final int SPARE = 8; // one slot of 8 stays free
    private static final @Nullable LinkCall[] NO_CALLS = new @Nullable LinkCall[1]; // never written to
    private static final long[] NO_IDS = new long[1];

    @GuardedBy("this")
    private @Nullable LinkCall[] calls = NO_CALLS; // until the first call: most links of a server never make one

    @GuardedBy("this")
    private long[] ids = NO_IDS;

    @GuardedBy("this")
    private long next = 1;

    @GuardedBy("this")
    private long lowest = 1; // no call with a lower number waits

    @GuardedBy("this")
    private Map<Long, LinkCall> old =
            Map.of(); // calls whose slots were needed; replaced by a HashMap with the first one

    @SuppressWarnings("FieldMayBeFinal") // written by the VarHandle
    private volatile int size; // of ring and map; written under the monitor of this

    @GuardedBy("this")
    private boolean closed;

    @GuardedBy("this")
    private boolean full; // no call is added any more; those that wait stay

    /** Enters a call and returns its number, or -1 if the link is closed or takes no more calls. */
    synchronized long add(LinkCall call) {
        if (closed || full) {
            return -1;
        }
        if (calls == NO_CALLS) {
            calls = new @Nullable LinkCall[FIRST];
            ids = new long[FIRST];
        }
        if (size - old.size() >= calls.length - calls.length / SPARE) {
            grow();
        }
        long id = next++;
        int slot = slot(id);
        LinkCall before = calls[slot];
        if (before != null) {
            old = old.isEmpty() ? new HashMap<>() : old;
            old.put(ids[slot], before);
        }
        calls[slot] = call;
        ids[slot] = id;
        resize(size + 1);
        return id;
    }

    /** Takes out the call with a number, or null if there is none. */
    synchronized @Nullable LinkCall remove(long id) {
        int slot = slot(id);
        LinkCall call = calls[slot];
        if (call != null && ids[slot] == id) {
            calls[slot] = null;
        } else {
            call = old.isEmpty() ? null : old.remove(id);
        }
        if (call != null) {
            resize(size - 1);
        }
        return call;
    }

    /** Refuses new calls from now on; calls that wait stay in the table. */
    synchronized void refuseMore() {
        full = true;
    }

    /** The call with a number, or null if there is none. */
    synchronized @Nullable LinkCall get(long id) {
        int slot = slot(id);
        LinkCall call = ids[slot] == id ? calls[slot] : null;
        return call != null || old.isEmpty() ? call : old.get(id);
    }

    /** Returns the lowest number of a call that waits; if none waits, the number of the next call. */
    synchronized long lowest() {
        while (lowest < next && get(lowest) == null) {
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
        old = Map.of();
        resize(0);
        return left;
    }

    /** The calls that wait, in the order in which they were entered. */
    synchronized List<LinkCall> all() {
        List<LinkCall> left = new ArrayList<>(size);
        long[] waiting = new long[size];
        int found = 0;
        for (int slot = 0; slot < calls.length; slot++) {
            if (calls[slot] != null) {
                waiting[found++] = ids[slot];
            }
        }
        for (long id : old.keySet()) {
            waiting[found++] = id;
        }
        Arrays.sort(waiting);
        for (long id : waiting) {
            left.add(requireNonNull(get(id)));
        }
        return left;
    }

    int size() {
        return size;
    }

    /** Sets the size; the end of the monitor, which is held, orders it before what follows. */
    @GuardedBy("this")
    private void resize(int now) {
        SIZE.setRelease(this, now);
    }

    /** How many slots there are. */
    synchronized int capacity() {
        return calls.length;
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
