package dev.cleave.migration;

import java.util.ArrayDeque;
import java.util.Deque;

/** Counts the calls on their way to a replica, until it reports their arrival or a time limit passes. */
final class Expected {

    private final Deque<Batch> batches = new ArrayDeque<>();
    private long arrived = -1; // -1: the replica has not reported yet
    private int calls;
    private int early; // calls that were reported as arrived before they were added
    private long earlyUntil;

    /** Calls that one grant sent on their way. */
    private static final class Batch {

        private final long until;
        private int calls;

        private Batch(int calls, long until) {
            this.calls = calls;
            this.until = until;
        }
    }

    /** Adds calls that are on their way now. */
    void add(int count, long until) {
        int there = Math.min(early, count);
        early -= there;
        if (count > there) {
            batches.add(new Batch(count - there, until));
            calls += count - there;
        }
    }

    /** Says whether a report of {@code count} arrived calls is older than one that has been heard. */
    boolean isOld(long count) {
        return count < arrived;
    }

    /**
     * Takes a report of the number of calls that have ever arrived. A report may be heard before its calls are added.
     */
    void arrived(long count, long until) {
        long more = arrived < 0 ? 0 : Math.max(0, count - arrived);
        arrived = Math.max(arrived, count);
        while (more > 0 && !batches.isEmpty()) {
            Batch first = batches.element();
            int taken = (int) Math.min(more, first.calls);
            first.calls -= taken;
            calls -= taken;
            more -= taken;
            if (first.calls == 0) {
                batches.remove();
            }
        }
        if (more > 0) {
            early += (int) Math.min(more, Integer.MAX_VALUE - early);
            earlyUntil = until;
        }
    }

    /** Stops expecting calls whose time limit has passed. */
    void giveUp(long now) {
        if (early > 0 && earlyUntil - now <= 0) {
            early = 0;
        }
        while (!batches.isEmpty() && batches.element().until - now <= 0) {
            calls -= batches.remove().calls;
        }
    }

    /** The time at which the next calls are given up; {@link Long#MAX_VALUE} if none is expected. */
    long expires() {
        return batches.isEmpty() ? Long.MAX_VALUE : batches.element().until;
    }

    int calls() {
        return calls;
    }
}
