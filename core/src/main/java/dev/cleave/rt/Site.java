package dev.cleave.rt;

import java.lang.invoke.SwitchPoint;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The counters of one rewritten call in the program's text, and its switch. Safe for use by any thread. */
final class Site {

    private final String place;
    private final int line;
    private final String call;
    private final LongAdder sends = new LongAdder();
    private final LongAdder awaits = new LongAdder();
    private final LongAdder discards = new LongAdder();
    private final LongAdder declined = new LongAdder();
    private final LongAdder blockedNanos = new LongAdder();
    private final LongAdder overlappedNanos = new LongAdder();
    private final LongAdder stayed = new LongAdder();
    private final LongAdder stayedBytes = new LongAdder();
    private final LongAdder sparedBytes = new LongAdder();
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger maxInFlight = new AtomicInteger();
    private volatile String note = "";
    private SwitchPoint on = new SwitchPoint(); // guarded by this; valid while the site is on
    private boolean isOff; // guarded by this

    Site(String place, int line, String call) {
        this.place = place;
        this.line = line;
        this.call = call;
    }

    String place() {
        return place;
    }

    int line() {
        return line;
    }

    String call() {
        return call;
    }

    /** Returns a switch point that is valid until the site is switched off. */
    synchronized SwitchPoint on() {
        return on;
    }

    synchronized boolean isOff() {
        return isOff;
    }

    /** Switches the site off if one of the names matches it, else on. */
    synchronized void switchTo(Collection<SiteName> off) {
        boolean wasOff = isOff;
        isOff = off.stream().anyMatch(name -> name.fits(place, line, call));
        if (isOff && !wasOff) {
            SwitchPoint.invalidateAll(new SwitchPoint[] {on});
        } else if (!isOff && wasOff) {
            on = new SwitchPoint();
        }
    }

    void sent() {
        sends.increment();
        int now = inFlight.incrementAndGet();
        if (now > maxInFlight.get()) {
            maxInFlight.accumulateAndGet(now, Math::max);
        }
    }

    void declined() {
        declined.increment();
    }

    void awaited(long overlapped, long blocked) {
        inFlight.decrementAndGet();
        awaits.increment();
        overlappedNanos.add(overlapped);
        blockedNanos.add(blocked);
    }

    /** Counts a prefetched call that was claimed; its await, which does not block, counts its end. */
    void claimed(long overlapped, long blocked) {
        overlappedNanos.add(overlapped);
        blockedNanos.add(blocked);
    }

    /** Notes why prefetching was stopped. */
    void stopped(String why) {
        note = why;
    }

    /** Counts a result that has stayed at its server. */
    void stayed(long bytes) {
        stayed.increment();
        stayedBytes.add(bytes);
    }

    /** Counts bytes of arguments that were not sent. */
    void spared(long bytes) {
        sparedBytes.add(bytes);
    }

    void discarded() {
        inFlight.decrementAndGet();
        discards.increment();
    }

    SiteCounters counters() {
        return new SiteCounters(
                place,
                line,
                call,
                sends.sum(),
                awaits.sum(),
                discards.sum(),
                declined.sum(),
                blockedNanos.sum(),
                overlappedNanos.sum(),
                maxInFlight.get(),
                stayed.sum(),
                stayedBytes.sum(),
                sparedBytes.sum(),
                note);
    }
}
