package dev.cleave.client;

import dev.cleave.call.Link;
import dev.cleave.call.LinkCall;
import dev.cleave.client.ServiceRoute.Hop;
import dev.cleave.transport.WaitCondition;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Where one call is: its {@link Stage}, the way that it has taken last, and its number there. Only the one thread that
 * has the call in hand calls {@link #move} and {@link #enter}; all other methods are thread-safe.
 */
final class Journey {

    private static final VarHandle STAGE;
    private static final VarHandle HOP;

    static {
        try {
            STAGE = MethodHandles.lookup().findVarHandle(Journey.class, "stage", Stage.class);
            HOP = MethodHandles.lookup().findVarHandle(Journey.class, "hop", Hop.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    @SuppressWarnings({"UnusedVariable", "FieldMayBeFinal"}) // used by the VarHandle
    private Stage stage = Stage.HOME;

    private volatile @Nullable Hop hop;
    private volatile long id; // number on the link; 0 while the call changes links

    /**
     * The table in which a call waits for its answer.
     *
     * @param number of the call there
     */
    record Place(Link link, long number) {

        /** Takes the call out of the table; returns whether it was there until now. */
        boolean leave() {
            return link.forget(number);
        }

        /** Tells the server that the answer is not wanted. */
        void cancel() {
            link.cancel(number);
        }
    }

    Stage stage() {
        return (Stage) STAGE.getAcquire(this);
    }

    /**
     * Moves the call to another stage.
     *
     * @throws IllegalStateException if that stage does not follow the current one
     */
    void move(Stage to) {
        Stage from = stage();
        if (!from.leadsTo(to)) {
            throw new IllegalStateException("stage of a call: " + to + " after " + from);
        }
        STAGE.setRelease(this, to);
    }

    /** Resets the journey for the next call of the same object. */
    void renew() {
        move(Stage.HOME);
        hop = null;
        id = 0;
    }

    /** Returns the way that was taken last; null before the first. */
    @Nullable
    Hop hop() {
        return hop;
    }

    /** The number of the call on that way; not positive while no link has taken it. */
    long id() {
        return id;
    }

    /** Returns the table in which the call waits for its answer; null while it waits in none. */
    @Nullable
    Place place() {
        while (true) {
            long number = id;
            Hop way = hop;
            if (number == id) { // both belong to one way
                return way == null || number <= 0 ? null : new Place(way.link(), number);
            }
        }
    }

    /** Enters the call into a link; returns its number there, which is not positive if the link is gone. */
    long enter(LinkCall call, Hop way) {
        Hop before = hop;
        if (before != null) {
            while (id == 0) {
                Thread.onSpinWait(); // the thread that enters it there is about to publish its number
            }
            id = 0;
            before.leave();
        }
        HOP.setRelease(this, way); // the lock of the table orders it before what follows
        long entered = -1;
        try {
            entered = way.link().enter(call);
        } finally { // after an Error, too
            id = entered;
        }
        if (entered <= 0 || call.isDone()) {
            way.leave();
        }
        return entered;
    }

    /** Whether the call is on the way of the calls that its thread has sent before and after it. */
    boolean isStraight() {
        Hop way = hop;
        Stage now = stage();
        return way == null
                || (now == Stage.HOME || now == Stage.SENT) && !way.link().isClosed();
    }

    /** Flushes for a thread that is about to wait; lets the result of a call sent ahead come. */
    void waiting(boolean isAhead) {
        Hop way = hop;
        if (way != null) {
            way.link().flushFor(id);
            if (isAhead) {
                way.link().streams().wanted(id);
            }
        }
    }

    /** Blocks the current thread until a time, or until a condition holds; may return early. */
    void block(WaitCondition it, long atNanos) {
        Hop way = hop;
        if (way == null) {
            if (!it.isDone()) {
                LockSupport.parkNanos(it, atNanos - System.nanoTime());
            }
        } else {
            way.link().connection().await(it, atNanos);
        }
    }

    /** A thread has been blocked for long: tells the server. */
    void blocked() {
        Place here = place();
        if (here != null) {
            here.link().tellAwaited(here.number());
        }
    }

    /** Tells the server that has the call that its answer is not wanted. */
    void withdraw(boolean hasEnded) {
        Place here = place();
        if (here == null) {
            return;
        }
        if (hasEnded) {
            boolean unused = here.leave();
        }
        here.cancel();
    }

    /** Records that the server has begun the call. */
    void begun() {
        Hop way = hop;
        if (way != null) {
            way.begun();
        }
    }

    /** Ends the account of the call at its replica. */
    void leave() {
        Hop way = hop;
        if (way != null) {
            way.leave();
        }
    }

    /** Wakes the threads that wait where the call is. */
    void wake() {
        Hop way = hop;
        if (way != null) {
            way.link().connection().wakeWaiting();
        }
    }
}
