package dev.cleave.server;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Calls by their callers and their numbers. Calls with one slot of the table are linked by a field of their own, so that nothing is
 * allocated for a call; a call is in one index at a time. Not thread-safe.
 *
 * @param <C> a call
 */
final class CallIndex<C extends CallIndex.Indexed<C>> {

    private static final int FIRST = 64;
    private static final int SPREAD = 0x9E3779B9; // odd, so that each number has a product of its own

    private @Nullable C[] slots = slots(FIRST);
    private int size;

    /**
     * A call that can be in an index. Its name does not change while it is there.
     *
     * @param <C> a call
     */
    interface Indexed<C> {

        /** Over which link it has come. */
        Object link();

        /** The relayed client, or 0. */
        int peer();

        /** Its number among those of its caller. */
        long id();

        /** Returns the next call of its slot; null if there is none. For the index alone. */
        @Nullable
        C sameSlot();

        /** Sets the next call of its slot. For the index alone. */
        void sameSlot(@Nullable C next);
    }

    /** Adds a call; returns false if there is one of its caller with its number. */
    boolean add(C call) {
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
    C get(Object link, int peer, long id) {
        C at = slots[slot(link, peer, id)];
        while (at != null && !(at.id() == id && at.peer() == peer && at.link() == link)) {
            at = at.sameSlot();
        }
        return at;
    }

    /** Says whether a call is here. */
    boolean has(C call) {
        return get(call.link(), call.peer(), call.id()) == call;
    }

    /** Takes a call out; false if it is not here. */
    boolean remove(C call) {
        int slot = slot(call.link(), call.peer(), call.id());
        C before = null;
        C at = slots[slot];
        while (at != null && at != call) {
            before = at;
            at = at.sameSlot();
        }
        if (at == null) {
            return false;
        }
        if (before == null) {
            slots[slot] = call.sameSlot();
        } else {
            before.sameSlot(call.sameSlot());
        }
        call.sameSlot(null);
        size--;
        return true;
    }

    int size() {
        return size;
    }

    /** Returns all calls, in no order. */
    List<C> all() {
        List<C> all = new ArrayList<>(size);
        for (C first : slots) {
            for (C at = first; at != null; at = at.sameSlot()) {
                all.add(at);
            }
        }
        return all;
    }

    /** Returns all calls, in no order. */
    Stream<C> stream() {
        return all().stream();
    }

    private void push(C call) {
        int slot = slot(call.link(), call.peer(), call.id());
        call.sameSlot(slots[slot]);
        slots[slot] = call;
    }

    private void grow() {
        List<C> all = all();
        slots = slots(slots.length * 2);
        all.forEach(this::push);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // Java has no arrays of generic types
    private static <C extends Indexed<C>> @Nullable C[] slots(int count) {
        return (C[]) new Indexed[count];
    }

    private int slot(Object link, int peer, long id) {
        int mixed = (Long.hashCode(id) + 31 * peer + link.hashCode()) * SPREAD;
        return mixed >>> Integer.numberOfLeadingZeros(slots.length) + 1;
    }
}
