package dev.cleave.client;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ends calls whose deadlines pass while no thread waits for them. It is for calls of one method, which may all take the same
 * time: their deadlines come in the order of the calls, so that a queue holds them, and the timer has one task for all.
 *
 * <p>A call that has ended is not taken out. It stays until those before it have ended and another one is added, or the queue is
 * full, or its deadline has passed; so the queue has at most four times as many places as calls that are under way, or
 * {@value #FIRST}. Hence it is for calls whose outcomes take few bytes. Thread-safe.
 */
final class Deadlines {

    static final int FIRST = 64;

    private static final System.Logger LOG = SafeLog.of(Deadlines.class);

    private final Timer timer;

    @GuardedBy("this")
    private @Nullable Watched[] queue = new @Nullable Watched[FIRST]; // a ring, its length a power of two

    @GuardedBy("this")
    private int head; // the place of the first, before it is reduced to the length

    @GuardedBy("this")
    private int size;

    @GuardedBy("this")
    private long last; // the deadline of the last one, if there is any

    @GuardedBy("this")
    private boolean isScheduled; // the timer has a task, at the deadline of the first one or before

    /** A call with a deadline. */
    interface Watched {

        /** The time by which it must have ended, by the clock of the timer. */
        long deadlineAt();

        /** Whether it has ended. */
        boolean isDone();

        /** Ends it, if its deadline has passed. */
        void expire();
    }

    Deadlines(Timer timer) {
        this.timer = requireNonNull(timer, "timer");
    }

    /** Takes a call in; false if the deadline of another one in the queue is later. */
    boolean add(Watched call) {
        long at = call.deadlineAt();
        long next;
        synchronized (this) {
            dropEnded();
            if (size > 0 && at - last < 0) {
                return false;
            }
            if (size == queue.length) {
                makeRoom();
            }
            queue[head + size & queue.length - 1] = call;
            size++;
            last = at;
            if (isScheduled) {
                return true;
            }
            isScheduled = true;
            next = first().deadlineAt();
        }
        schedule(next);
        return true;
    }

    /** The number of places of its queue. */
    synchronized int places() {
        return queue.length;
    }

    private void schedule(long at) {
        boolean done = false;
        try {
            Timer.Timeout unused = timer.scheduleAt(at, this::look);
            done = true;
        } finally {
            if (!done) { // no memory, say: the next call schedules it
                synchronized (this) {
                    isScheduled = false;
                }
            }
        }
    }

    /** Ends the calls whose deadlines have passed. */
    private void look() {
        List<Watched> over = new ArrayList<>();
        long next = 0;
        synchronized (this) {
            isScheduled = false;
            long now = timer.nanos();
            dropEnded();
            while (size > 0 && first().deadlineAt() - now <= 0) {
                over.add(first());
                dropFirst();
                dropEnded();
            }
            isScheduled = size > 0;
            if (size > 0) {
                next = first().deadlineAt();
            }
        }
        over.forEach(Deadlines::expire);
        if (next != 0) {
            schedule(next);
        }
    }

    private static void expire(Watched call) {
        try {
            call.expire();
        } catch (Throwable e) { // an Error as well: the others must end, too
            LOG.log(System.Logger.Level.WARNING, "the deadline of a call has passed", e);
        }
    }

    @GuardedBy("this")
    private Watched first() {
        return requireNonNull(queue[head & queue.length - 1]);
    }

    @GuardedBy("this")
    private void dropFirst() {
        queue[head++ & queue.length - 1] = null;
        size--;
    }

    @GuardedBy("this")
    private void dropEnded() {
        while (size > 0 && first().isDone()) {
            dropFirst();
        }
    }

    /** Drops all calls that have ended; if more than half have not, takes a queue of twice the length. */
    @GuardedBy("this")
    private void makeRoom() {
        @Nullable Watched[] before = queue;
        int mask = before.length - 1;
        int left = 0;
        for (int i = 0; i < size; i++) {
            Watched call = requireNonNull(before[head + i & mask]);
            if (!call.isDone()) {
                before[head + left++ & mask] = call;
            }
        }
        for (int i = left; i < size; i++) {
            before[head + i & mask] = null;
        }
        size = left;
        if (size > before.length / 2) {
            queue = new @Nullable Watched[before.length * 2];
            for (int i = 0; i < size; i++) {
                queue[i] = before[head + i & mask];
            }
            head = 0;
        }
    }
}
