package dev.cleave.concurrent;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A queue that serves entries by priority, among equals first those on which a caller is blocked, then in order of arrival.
 * Entries that {@linkplain Entry#prefersBlocked prefer blocked callers} go before all others while a caller is blocked on them.
 *
 * <h2>Ageing</h2>
 *
 * Every {@value #OLDEST_EVERY}th entry that is taken is the one that has waited longest, whatever its priority. So an entry
 * with n older ones is taken after at most {@value #OLDEST_EVERY}(n + 1) others, and nothing starves. This holds
 * for priorities of any scale, which a weight of the time waited would not.
 *
 * <h2>Cost</h2>
 *
 * A list in the order of arrival runs through the entries. Those of priority 0 on which no caller is blocked are in no other
 * order, so that adding and taking them costs O(1). The others are in a binary heap besides, whose entries know their places:
 * taking, removing and promoting cost O(log n). Nothing is allocated for an entry.
 *
 * <p>Not thread-safe: guarded by its owner.
 */
public final class AgeingQueue<E extends AgeingQueue.Entry> {

    /** One of this many entries is taken because it is the oldest. */
    public static final int OLDEST_EVERY = 16;

    private static final int LOOKED_AT = 4;
    private static final int FIRST = 64;
    private static final int NOWHERE = -1;
    private static final int PLAIN = -2; // in the list of arrivals alone

    private @Nullable Entry[] heap = new @Nullable Entry[FIRST];
    private int size; // of the heap
    private int plain; // the number of entries that are not in the heap
    private @Nullable Entry firstPlain; // the oldest of them
    private long arrivals;
    private long taken;
    private @Nullable Entry oldest;
    private @Nullable Entry newest;

    /** An entry, which waits in one queue at a time. Guarded by the owner of that queue. */
    public abstract static class Entry {

        private int place = NOWHERE;
        private long arrival;
        private double priority;
        private boolean awaited;
        private boolean prefersBlocked = true;
        private @Nullable Entry older;
        private @Nullable Entry newer;
        private @Nullable AgeingQueue<?> queue; // in which it waits

        /**
         * Sets the priority, 0 unless set; entries of a higher one are served first. Only while the entry does not
         * wait.
         */
        protected void priority(double value) {
            priority = Double.isNaN(value) ? Double.NEGATIVE_INFINITY : value;
        }

        /**
         * Sets whether the entry goes before entries of higher priority once a caller is blocked on it; it does unless set.
         * Only while the entry does not wait.
         */
        protected void prefersBlocked(boolean value) {
            prefersBlocked = value;
        }

        /** Notes that a caller is blocked on the entry. Only while the entry does not wait. */
        protected void awaited() {
            awaited = true;
        }

        /** Resets the entry to priority 0 without a blocked caller. Only while the entry does not wait. */
        protected void renew() {
            priority = 0;
            awaited = false;
            prefersBlocked = true;
        }

        /** Says whether a caller is blocked on the entry. */
        public boolean isAwaited() {
            return awaited;
        }

        private boolean isFirst() {
            return awaited && prefersBlocked;
        }

        private boolean isPlain() {
            return priority == 0 && !awaited;
        }

        private boolean hasRankOf(Entry other) {
            return isFirst() == other.isFirst() && priority == other.priority;
        }

        boolean goesBefore(Entry other) {
            if (isFirst() != other.isFirst()) {
                return isFirst();
            }
            if (priority != other.priority) {
                return priority > other.priority;
            }
            return awaited != other.awaited ? awaited : arrival < other.arrival;
        }
    }

    /** The number of entries that wait. */
    public int size() {
        return size + plain;
    }

    /** Says whether no entry waits. */
    public boolean isEmpty() {
        return oldest == null;
    }

    /** Says whether an entry waits here. */
    public boolean contains(E entry) {
        Entry known = entry;
        return known.queue == this;
    }

    /** Adds an entry that waits nowhere. */
    public void add(E entry) {
        Entry added = entry;
        if (added.place != NOWHERE) {
            throw new IllegalStateException("waits already: " + entry);
        }
        added.queue = this;
        added.arrival = arrivals++;
        added.older = newest;
        if (newest == null) {
            oldest = added;
        } else {
            newest.newer = added;
        }
        newest = added;
        if (added.isPlain()) {
            added.place = PLAIN;
            plain++;
            firstPlain = firstPlain == null ? added : firstPlain;
        } else {
            push(added);
        }
    }

    private void push(Entry entry) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, size * 2);
        }
        size++;
        up(entry, size - 1);
    }

    /** The entry that is next unless it is the turn of the oldest. */
    private @Nullable Entry head() {
        Entry top = heap[0];
        Entry common = firstPlain;
        return common != null && (top == null || common.goesBefore(top)) ? common : top;
    }

    /** Takes the entry that is next, or null if none waits. */
    @SuppressWarnings("unchecked") // only entries of type E get in
    public @Nullable E poll() {
        if (oldest == null) {
            return null;
        }
        Entry next = ++taken % OLDEST_EVERY == 0 ? oldest : head();
        if (next != null) {
            take(next);
        }
        return (E) next;
    }

    /**
     * Returns the entry that is next and those of equal rank, in order of arrival: whether callers are blocked on them decides
     * nothing unless they prefer that. If it is the turn of the oldest, and that has another rank, returns it alone. They stay in
     * the queue.
     *
     * @param most the most entries; {@value #LOOKED_AT} times as many of the oldest are looked at
     */
    @SuppressWarnings("unchecked") // only entries of type E get in
    public List<E> next(int most) {
        List<E> found = new ArrayList<>();
        Entry first = head();
        if (first == null) {
            return found;
        }
        boolean isTurnOfOldest = (taken + 1) % OLDEST_EVERY == 0 && oldest != null && !oldest.hasRankOf(first);
        if (isTurnOfOldest || most == 1) {
            found.add((E) (isTurnOfOldest ? oldest : first));
            return found;
        }
        boolean hasFirst = false;
        int looks = most * LOOKED_AT;
        for (Entry at = oldest; at != null && found.size() < most && looks > 0; at = at.newer) {
            looks--;
            if (at.hasRankOf(first)) {
                found.add((E) at);
                hasFirst |= at == first;
            }
        }
        if (!hasFirst) {
            found.add((E) first);
        }
        return found;
    }

    /** Takes an entry out that was chosen among those that are next; false if it does not wait here. */
    public boolean takeChosen(E entry) {
        if (!remove(entry)) {
            return false;
        }
        taken++;
        return true;
    }

    /** The entry that is next unless it is the turn of the oldest, or null if none waits. */
    @SuppressWarnings("unchecked") // only entries of type E get in
    public @Nullable E first() {
        return (E) head();
    }

    /** The entry that has waited longest, or null if none waits. */
    @SuppressWarnings("unchecked") // only entries of type E get in
    public @Nullable E oldest() {
        return (E) oldest;
    }

    /** Takes an entry out; false if it does not wait here. */
    public boolean remove(E entry) {
        if (!contains(entry)) {
            return false;
        }
        take(entry);
        return true;
    }

    /** Notes that a caller is now blocked on an entry, which overtakes others without a blocked caller. */
    public void promote(E entry) {
        Entry known = entry;
        if (known.awaited) {
            return;
        }
        known.awaited = true;
        if (known.place == PLAIN && known.queue == this) {
            leavePlain(known);
            push(known);
        } else if (known.queue == this) {
            up(known, known.place);
        }
    }

    /** Returns at most {@code most} entries that fulfil a condition, from the newest on. They stay in the queue. */
    @SuppressWarnings("unchecked") // only entries of type E get in
    public List<E> newest(int most, Predicate<? super E> which) {
        List<E> found = new ArrayList<>();
        for (Entry at = newest; at != null && found.size() < most; at = at.older) {
            if (which.test((E) at)) {
                found.add((E) at);
            }
        }
        return found;
    }

    private void take(Entry entry) {
        if (entry.place == PLAIN) {
            leavePlain(entry);
        } else {
            leaveHeap(entry);
        }
        unlink(entry);
        entry.place = NOWHERE;
        entry.queue = null;
    }

    private void leavePlain(Entry entry) {
        plain--;
        if (firstPlain == entry) {
            Entry next = plain == 0 ? null : entry.newer;
            while (next != null && next.place != PLAIN) {
                next = next.newer;
            }
            firstPlain = next;
        }
    }

    private void leaveHeap(Entry entry) {
        int place = entry.place;
        size--;
        Entry last = heap[size];
        heap[size] = null;
        if (last != null && last != entry) {
            if (place > 0 && last.goesBefore(at(place - 1 >>> 1))) {
                up(last, place);
            } else {
                down(last, place);
            }
        }
    }

    private void unlink(Entry entry) {
        Entry before = entry.older;
        Entry behind = entry.newer;
        if (before == null) {
            oldest = behind;
        } else {
            before.newer = behind;
        }
        if (behind == null) {
            newest = before;
        } else {
            behind.older = before;
        }
        entry.older = null;
        entry.newer = null;
    }

    private void up(Entry entry, int from) {
        int place = from;
        while (place > 0) {
            int parent = place - 1 >>> 1;
            Entry above = at(parent);
            if (!entry.goesBefore(above)) {
                break;
            }
            put(above, place);
            place = parent;
        }
        put(entry, place);
    }

    private void down(Entry entry, int from) {
        int place = from;
        int child = 2 * place + 1;
        while (child < size) {
            if (child + 1 < size && at(child + 1).goesBefore(at(child))) {
                child++;
            }
            Entry below = at(child);
            if (!below.goesBefore(entry)) {
                break;
            }
            put(below, place);
            place = child;
            child = 2 * place + 1;
        }
        put(entry, place);
    }

    private void put(Entry entry, int place) {
        heap[place] = entry;
        entry.place = place;
    }

    private Entry at(int place) {
        Entry entry = heap[place];
        if (entry == null) {
            throw new AssertionError("nothing at " + place + " of " + size);
        }
        return entry;
    }
}
