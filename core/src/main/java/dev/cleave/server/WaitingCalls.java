package dev.cleave.server;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.call.Link;
import dev.cleave.concurrent.AgeingQueue;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls that wait for a worker of one dispatcher: to be rated, to be run, or for their turn at a serial object or
 * in a lane, which counts for the bound but is decided elsewhere. A call that can run at once has room beyond the bound
 * while a worker is free for it. Thread-safe.
 */
final class WaitingCalls {

    private static final VarHandle SIZE;

    static {
        try {
            SIZE = MethodHandles.lookup().findVarHandle(WaitingCalls.class, "size", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int bound;
    private final IntSupplier free; // workers

    @GuardedBy("this")
    private final CallIndex<Invocation> calls = new CallIndex<>();

    @GuardedBy("this")
    private final AgeingQueue<Invocation> queue = new AgeingQueue<>();

    @GuardedBy("this")
    private final Deque<Invocation> unrated = new ArrayDeque<>();

    private volatile boolean hasUnrated; // written under this

    @SuppressWarnings("FieldMayBeFinal") // written by the VarHandle
    private volatile int size; // written under this

    @GuardedBy("this")
    private int ahead; // how many of them can give way

    @GuardedBy("this")
    private long taken;

    @GuardedBy("this")
    private long nextExpiry = Long.MAX_VALUE; // no call expires before

    @GuardedBy("this")
    private boolean closed;

    /**
     * Creates an empty queue.
     *
     * @param free how many workers run no call
     */
    WaitingCalls(int bound, IntSupplier free) {
        this.bound = bound;
        this.free = free;
    }

    int bound() {
        return bound;
    }

    /** Takes a call in that can be run; false if there is no room. */
    synchronized boolean add(Invocation call) {
        if (isFull() && calls.size() >= bound + free.getAsInt() || !take(call)) {
            return false;
        }
        enqueue(call);
        return true;
    }

    /** Takes a call in that waits for its turn elsewhere; false if there is no room. */
    synchronized boolean hold(Invocation call) {
        return !isFull() && take(call);
    }

    @GuardedBy("this")
    private boolean isFull() {
        return calls.size() >= bound;
    }

    @GuardedBy("this")
    private boolean take(Invocation call) {
        if (closed || !calls.add(call)) { // a caller that uses a number twice
            return false;
        }
        resize(calls.size());
        ahead += call.turn().canGiveWay() ? 1 : 0;
        nextExpiry = Math.min(nextExpiry, call.expiresAt());
        return true;
    }

    /** Makes a call that waited for its turn ready to run; returns false if it is not here any more. */
    synchronized boolean admit(Invocation call) {
        if (!calls.has(call)) {
            return false;
        }
        enqueue(call);
        return true;
    }

    /** Removes a call that waits no longer. */
    synchronized void remove(Invocation call) {
        if (calls.remove(call)) {
            leaves(call);
            queue.remove(call);
        }
    }

    /** The next call that has to be rated before it can be run; it stays here. */
    synchronized @Nullable Invocation nextUnrated() {
        Invocation next = unrated.poll();
        while (next != null && !calls.has(next)) {
            next = unrated.poll();
        }
        hasUnrated = !unrated.isEmpty();
        return next;
    }

    /** Records that a call has been rated. */
    synchronized void rated(Invocation call) {
        if (calls.has(call)) {
            queue.add(call);
        }
    }

    /** Whether a call has to be rated before the next one can be taken. */
    boolean hasUnrated() {
        return hasUnrated;
    }

    /** Takes out the call that is to run next, if there is one, and counts the worker that is to run it. */
    synchronized @Nullable Invocation poll(AtomicInteger busy) {
        Invocation next = queue.poll();
        if (next != null) {
            busy.incrementAndGet();
            boolean unused = calls.remove(next);
            leaves(next);
            taken++;
        }
        return next;
    }

    /** Records that a caller waits for a call. */
    synchronized void promote(Invocation.Key key) {
        Invocation call = calls.get(key.link(), key.peer(), key.id());
        if (call != null && call.turn().isFree()) {
            queue.promote(call);
        }
    }

    /** Returns the latest of the ready calls for which a condition holds. They stay in the queue. */
    synchronized List<Invocation> newest(int most, Predicate<Invocation> which) {
        return queue.newest(most, which);
    }

    /**
     * Returns some of the calls that were sent ahead and that no caller waits for yet, the latest first. They stay in
     * the queue. Calls of chains and groups are returned only if there are no others.
     */
    synchronized List<Invocation> newestAhead(int most) {
        if (ahead == 0) {
            return List.of();
        }
        List<Invocation> found =
                queue.newest(most, call -> canGiveWay(call) && call.turn().isFree());
        return found.isEmpty()
                ? calls.stream()
                        .filter(WaitingCalls::canGiveWay)
                        .sorted(Comparator.comparingLong(Invocation::arrived).reversed())
                        .limit(most)
                        .toList()
                : found;
    }

    private static boolean canGiveWay(Invocation call) {
        return !call.isAwaited() && call.turn().canGiveWay();
    }

    /** Returns how many calls a caller is known to wait for. */
    synchronized int awaited() {
        return (int) calls.stream().filter(Invocation::isAwaited).count();
    }

    synchronized @Nullable Invocation find(Invocation.Key key) {
        return calls.get(key.link(), key.peer(), key.id());
    }

    synchronized List<Invocation> all() {
        return calls.all();
    }

    /** Returns the calls whose time is over. */
    synchronized List<Invocation> expired(long now) {
        if (now - nextExpiry < 0) {
            return List.of();
        }
        List<Invocation> over = new ArrayList<>();
        nextExpiry = now + 1_000_000; // looked for at most once in 1 ms
        long next = Long.MAX_VALUE;
        for (Invocation call : calls.all()) {
            if (call.expiresAt() - now <= 0) {
                over.add(call);
            } else {
                next = Math.min(next, call.expiresAt());
            }
        }
        nextExpiry = Math.max(nextExpiry, next);
        return over;
    }

    /** Returns when the oldest ready call arrived; 0 if there is none. */
    synchronized long oldest() {
        Invocation first = queue.oldest();
        Invocation second = unrated.peek();
        if (first == null || second == null) {
            return first != null ? first.arrived() : second != null ? second.arrived() : 0;
        }
        return Math.min(first.arrived(), second.arrived());
    }

    int size() {
        return size;
    }

    /** Sets the size; the end of the monitor, which is held, orders it before what follows. */
    @GuardedBy("this")
    private void resize(int now) {
        SIZE.setRelease(this, now);
    }

    /** Returns how many calls have been taken out to run. */
    synchronized long taken() {
        return taken;
    }

    /** Whether the call that is likely to run next came over a link. */
    synchronized boolean isNextOf(Link link) {
        Invocation next = queue.first();
        return next != null && next.belongsTo(link);
    }

    /** Whether no call is ready to run. */
    synchronized boolean isIdle() {
        return queue.isEmpty() && unrated.isEmpty();
    }

    /** Refuses all further calls. */
    synchronized void close() {
        closed = true;
    }

    @GuardedBy("this")
    private void leaves(Invocation call) {
        resize(calls.size());
        ahead -= call.turn().canGiveWay() ? 1 : 0;
    }

    @GuardedBy("this")
    private void enqueue(Invocation call) {
        if (call.isToBeRated()) {
            unrated.add(call);
            hasUnrated = true;
        } else {
            queue.add(call);
        }
    }
}
