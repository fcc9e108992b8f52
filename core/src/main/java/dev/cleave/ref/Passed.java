package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Stubs that this node has passed on to another node than their owner, kept until the receiver holds their objects too.
 */
final class Passed {

    static final Duration KEPT = Duration.ofSeconds(60);
    static final int MOST = 4096;

    private final Timer timer;

    @GuardedBy("this")
    private final Deque<Entry> entries = new ArrayDeque<>();

    private record Entry(Object stub, long until) {}

    Passed(Timer timer) {
        this.timer = requireNonNull(timer, "timer");
    }

    /** Keeps a stub for a while; when there are too many the oldest is dropped first. */
    synchronized void keep(Object stub) {
        if (entries.size() >= MOST) {
            entries.removeFirst();
        }
        entries.addLast(new Entry(stub, timer.nanos() + KEPT.toNanos()));
        if (entries.size() == 1) {
            timer.schedule(KEPT, this::purge);
        }
    }

    private synchronized void purge() {
        while (!entries.isEmpty() && entries.getFirst().until() - timer.nanos() <= 0) {
            entries.removeFirst();
        }
        if (!entries.isEmpty()) {
            timer.scheduleAt(entries.getFirst().until(), this::purge);
        }
    }
}
