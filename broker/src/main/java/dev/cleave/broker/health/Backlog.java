package dev.cleave.broker.health;

import dev.cleave.wire.Load;

/**
 * Finds out whether the workers of a server are stuck: all of them are busy while the same call has waited longest from
 * report to report.
 */
final class Backlog {

    private final int reports;
    private final long leastGrowthMillis;
    private Load last = Load.NONE;
    private int same;

    /**
     * Creates the backlog of a server that has not reported.
     *
     * @param reports the number of consecutive reports that make the workers stuck
     * @param leastGrowthMillis the least growth of the wait of one call from one report to the next
     */
    Backlog(int reports, long leastGrowthMillis) {
        this.reports = reports;
        this.leastGrowthMillis = leastGrowthMillis;
    }

    /** Takes the load that the server has reported. */
    void onReport(Load load) {
        boolean isFull = load.queued() > 0 && load.capacity() > 0 && load.running() >= load.capacity();
        same = isFull && load.oldestMillis() - last.oldestMillis() >= leastGrowthMillis ? same + 1 : 0;
        last = load;
    }

    /** The last reported load. */
    Load load() {
        return last;
    }

    boolean isStuck() {
        return same >= reports;
    }
}
