package dev.cleave.migration;

import java.util.ArrayDeque;
import java.util.Deque;

/** Calls that are on their way to a replica: until it says that they have arrived, or they have been waited for too long. */
final class Expected {

    private final Deque<Batch> batches = new ArrayDeque<>();
    private long arrived = -1; // nothing has been heard yet
    private int calls;
    private int early; // arrived before it was known that they had set out
    private long earlyUntil;

    /** Calls that were granted together. */
    private static final class Batch {

        private final long until;
        private int calls;

        private Batch(int calls, long until) {
            this.calls = calls;
            this.until = until;
        }
    }

    /** Calls have set out. */
    void add(int count, long until) {
        int there = Math.min(early, count);
        early -= there;
        if (count > there) {
            batches.add(new Batch(count - there, until));
            calls += count - there;
        }
    }

    /** Whether the replica had said more when it said that so many have arrived. */
    boolean isOld(long count) {
        return count < arrived;
    }

    /** The replica has said how many have ever arrived; that may be heard before they have set out. */
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

    /** Expects no longer what has been waited for too long. */
    void giveUp(long now) {
        if (early > 0 && earlyUntil - now <= 0) {
            early = 0;
        }
        while (!batches.isEmpty() && batches.element().until - now <= 0) {
            calls -= batches.remove().calls;
        }
    }

    /** When something is to be given up; {@link Long#MAX_VALUE} if nothing is expected. */
    long expires() {
        return batches.isEmpty() ? Long.MAX_VALUE : batches.element().until;
    }

    int calls() {
        return calls;
    }
}
