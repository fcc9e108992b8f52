package dev.cleave.broker.health;

import dev.cleave.wire.Load;

/**
 * Whether the workers of a server get on: they are stuck if all of them are taken while the call that has waited longest is the
 * same from report to report.
 */
final class Backlog {

    private final int reports;
    private final long leastGrowthMillis;
    private Load last = Load.NONE;
    private int same;

    /**
     * Creates one that has heard nothing yet.
     *
     * @param reports how many of them have to say the same
     * @param leastGrowthMillis by how much the wait of one and the same call grows from one report to the next at least
     */
    Backlog(int reports, long leastGrowthMillis) {
        this.reports = reports;
        this.leastGrowthMillis = leastGrowthMillis;
    }

    /** The server has said how busy it is. */
    void onReport(Load load) {
        boolean isFull = load.queued() > 0 && load.capacity() > 0 && load.running() >= load.capacity();
        same = isFull && load.oldestMillis() - last.oldestMillis() >= leastGrowthMillis ? same + 1 : 0;
        last = load;
    }

    /** What was said last. */
    Load load() {
        return last;
    }

    boolean isStuck() {
        return same >= reports;
    }
}
