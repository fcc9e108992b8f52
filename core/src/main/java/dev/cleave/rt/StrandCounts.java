package dev.cleave.rt;

import java.util.concurrent.atomic.LongAdder;

/** Counts what strands have done in this process. Safe for concurrent use. */
final class StrandCounts {

    static final LongAdder SENT = new LongAdder();
    static final LongAdder MISSED = new LongAdder();
    static final LongAdder FORCED = new LongAdder();
    static final LongAdder UNCLAIMED = new LongAdder();
    static final LongAdder UNLINKED = new LongAdder();
    static final LongAdder BROKEN = new LongAdder();

    private StrandCounts() {}
}
