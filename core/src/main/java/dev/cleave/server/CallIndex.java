package dev.cleave.server;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls by their callers and their numbers. Calls with one slot of the table are linked by a field of their own, so that nothing is
 * allocated for a call; a call is in one index at a time. Not thread-safe.
 */
final class CallIndex {

    private static final int FIRST = 64;
    private static final int SPREAD = 0x9E3779B9; // odd, so that each number has a product of its own

    private @Nullable Invocation[] slots = new @Nullable Invocation[FIRST];
    private int size;

    /** Adds a call; returns false if there is one of its caller with its number. */
    boolean add(Invocation call) {
        if (get(call.link(), call.peer(), call.id()) != null) {
            return false;
        }
        if (size >= slots.length) {
            grow();
        }
        push(call);
        size++;
        return true;
    }

    /** Returns the call of a caller with a number; null if there is none. */
    @Nullable
    Invocation get(Object link, int peer, long id) {
        Invocation at = slots[slot(link, peer, id)];
        while (at != null && !(at.id() == id && at.peer() == peer && at.link() == link)) {
            at = at.sameSlot;
        }
        return at;
    }

    /** Says whether a call is here. */
    boolean has(Invocation call) {
        return get(call.link(), call.peer(), call.id()) == call;
    }

    /** Takes a call out; false if it is not here. */
    boolean remove(Invocation call) {
        int slot = slot(call.link(), call.peer(), call.id());
        Invocation before = null;
        Invocation at = slots[slot];
        while (at != null && at != call) {
            before = at;
            at = at.sameSlot;
        }
        if (at == null) {
            return false;
        }
        if (before == null) {
            slots[slot] = call.sameSlot;
        } else {
            before.sameSlot = call.sameSlot;
        }
        call.sameSlot = null;
        size--;
        return true;
    }

    int size() {
        return size;
    }

    /** Returns all calls, in no order. */
    List<Invocation> all() {
        List<Invocation> all = new ArrayList<>(size);
        for (Invocation first : slots) {
            for (Invocation at = first; at != null; at = at.sameSlot) {
                all.add(at);
            }
        }
        return all;
    }

    /** Returns all calls, in no order. */
    Stream<Invocation> stream() {
        return all().stream();
    }

    private void push(Invocation call) {
        int slot = slot(call.link(), call.peer(), call.id());
        call.sameSlot = slots[slot];
        slots[slot] = call;
    }

    private void grow() {
        List<Invocation> all = all();
        slots = new @Nullable Invocation[slots.length * 2];
        all.forEach(this::push);
    }

    private int slot(Object link, int peer, long id) {
        int mixed = (Long.hashCode(id) + 31 * peer + link.hashCode()) * SPREAD;
        return mixed >>> Integer.numberOfLeadingZeros(slots.length) + 1;
    }
}
