package dev.cleave.rt;

import dev.cleave.call.Handle;
import dev.cleave.transport.WaitCondition;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A handle of a sent call with the site that sent it, which counts the wait. */
class SentCall {

    private final Handle handle;
    private final Site site;
    private final long sentAt;
    private @Nullable LoopQueue queue;
    private long iteration;
    private int position;
    private boolean waits;
    private boolean ended;
    private long waitedFrom; // if a wait has begun before the await
    private int part;
    private boolean keeps;
    private @Nullable Object kept;
    private @Nullable SentCall next;
    private List<Object> changes = List.of();

    SentCall(Handle handle, Site site) {
        this(handle, site, System.nanoTime());
    }

    SentCall(Handle handle, Site site, long sentAt) {
        this.handle = handle;
        this.site = site;
        this.sentAt = sentAt;
    }

    /** Creates a second object for a call. */
    SentCall(SentCall call) {
        this(call.handle, call.site);
    }

    /** Called when the wait begins. For recordings. */
    void waiting() {}

    /** Called when the wait has ended. For recordings. */
    void waited(Site at, long overlapped) {}

    /** Called when the call was discarded. For recordings. */
    void givenUp(Site at) {}

    Handle handle() {
        return handle;
    }

    Site site() {
        return site;
    }

    long sentAt() {
        return sentAt;
    }

    /**
     * Joins this call to earlier calls of the same helper. {@code first} is the first of them, or null if this is the
     * first.
     */
    void joins(@Nullable SentCall first, int asPart) {
        part = asPart;
        SentCall last = first;
        while (last != null && last.next != null) {
            last = last.next;
        }
        if (last != null) {
            last.next = this;
        }
    }

    boolean isPart(int aPart) {
        return part == aPart;
    }

    /** Separates the calls that were sent after it, and returns them. */
    @Nullable
    SentCall part() {
        SentCall rest = next;
        next = null;
        return rest;
    }

    /** Notes that a loop has sent this call and the joined ones ahead. */
    void belongsTo(LoopQueue sender, long inIteration, int atPosition) {
        for (SentCall call = this; call != null; call = call.next) {
            call.queue = sender;
            call.iteration = inIteration;
            call.position = atPosition;
        }
    }

    /** It was sent for a pass of a nest. */
    void belongsTo(long pass) {
        iteration = pass;
    }

    /** Whether there is room for {@code calls} more calls like it. */
    boolean mayBeFollowedBy(int calls) {
        return handle.mayBeFollowedBy(calls);
    }

    /** Notes that the program has reached this call and the joined ones. */
    void taken() {
        handle.taken();
        if (next != null) {
            next.taken();
        }
    }

    /** A strand may need the result as it has arrived, behind the place where the program is given it. */
    void keeps() {
        keeps = true;
    }

    /** A copy of the result as the program was given it, null if there is none. */
    @Nullable
    Object kept() {
        return kept;
    }

    /** Whether this call and the joined ones have ended, so that their awaits would not wait. */
    boolean isDone() {
        return (ended || handle.isDone()) && (next == null || next.isDone());
    }

    long iteration() {
        return iteration;
    }

    /** Its await changes these arrays. */
    void changes(List<Object> arrays) {
        changes = arrays;
    }

    /** The arrays that its await changes, as they were when a loop sent it. */
    List<Object> changes() {
        return changes;
    }

    boolean isOf(long anIteration, int aPosition) {
        return iteration == anIteration && position == aPosition;
    }

    void origin() {
        handle.origin();
    }

    int awaitInt() throws Throwable {
        long begun = begin();
        try {
            return handle.awaitInt();
        } finally {
            end(begun);
        }
    }

    long awaitLong() throws Throwable {
        long begun = begin();
        try {
            return handle.awaitLong();
        } finally {
            end(begun);
        }
    }

    float awaitFloat() throws Throwable {
        long begun = begin();
        try {
            return handle.awaitFloat();
        } finally {
            end(begun);
        }
    }

    double awaitDouble() throws Throwable {
        long begun = begin();
        try {
            return handle.awaitDouble();
        } finally {
            end(begun);
        }
    }

    @Nullable
    Object await() throws Throwable {
        long begun = begin();
        try {
            Object result = handle.await();
            if (keeps && kept == null) {
                kept = ResultCopies.of(result);
            }
            long stayed = handle.stayedBytes();
            if (stayed > 0 && !ended) {
                site.stayed(stayed);
            }
            return result;
        } finally {
            end(begun);
        }
    }

    void awaitVoid() throws Throwable {
        long begun = begin();
        try {
            handle.awaitVoid();
        } finally {
            end(begun);
        }
    }

    /** Asks the servers not to begin this call and the joined ones, the last one first. */
    void withdrawn() {
        if (next != null) {
            next.withdrawn();
        }
        if (!ended) {
            handle.withdrawn();
        }
    }

    void discard() {
        withdrawn();
        if (!ended) {
            ended = true;
            handle.discard();
            site.discarded();
            givenUp(site);
        }
        SentCall rest = part();
        if (rest != null) {
            rest.discard();
        }
    }

    /** Waits until it has ended or something else has come; whether an await would not wait. */
    boolean awaitOr(WaitCondition other) {
        if (!waits) {
            waits = true;
            waitedFrom = System.nanoTime();
        }
        return handle.awaitOr(other, waitedFrom);
    }

    /**
     * Waits for at most some nanoseconds until this call or another one has ended; says whether this one has. The deadline of neither
     * begins, as the program has not come to them.
     */
    boolean linger(SentCall other, long nanos) {
        if (nanos > 0) {
            Thread me = Thread.currentThread();
            handle.wakes(me);
            other.handle.wakes(me);
            handle.linger(other.handle::isDone, System.nanoTime() + nanos);
        }
        return isDone();
    }

    /**
     * Waits for the end of the call, and says whether it has a result. The program meets a failure at its own place.
     */
    boolean succeeds() {
        try {
            awaitVoid();
            return true;
        } catch (Throwable e) { // any exception of the remote method is thrown again by the next await
            return false;
        }
    }

    private long begin() {
        long from = waits ? waitedFrom : System.nanoTime();
        waits |= !handle.isDone();
        if (queue == null) {
            handle.taken();
        }
        handle.origin();
        waiting();
        return from;
    }

    private void end(long begun) {
        if (ended) {
            return;
        }
        ended = true;
        long now = waits ? System.nanoTime() : begun;
        site.awaited(begun - sentAt, now - begun);
        waited(site, begun - sentAt);
        long spared = handle.sparedBytes();
        if (spared > 0) {
            site.spared(spared);
        }
        if (queue != null && handle.wasOverload()) {
            queue.refused(sentAt, waits ? now : System.nanoTime());
        } else if (waits && queue != null) {
            queue.waited(begun, now);
        }
        if (queue != null) {
            queue.ended(now);
        }
    }
}
