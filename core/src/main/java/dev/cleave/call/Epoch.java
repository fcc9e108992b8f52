package dev.cleave.call;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the beginnings and ends of all calls of this process that may change something, whoever makes them (R60): what
 * was read ahead under one number may have been changed under another.
 *
 * <p>Groups narrow this: a call of one group does not change what calls of another group read. It takes both: what
 * belongs to no group may change everything, and what belongs to none reads everything.
 *
 * <p>Costs a plain test until somebody reads ahead for the first time. Safe for use by any thread.
 */
public final class Epoch {

    private static final AtomicLong ALL = new AtomicLong();
    private static final AtomicLong UNGROUPED = new AtomicLong();
    private static final ConcurrentMap<String, AtomicLong> GROUPS = new ConcurrentHashMap<>();
    private static volatile boolean watched;

    private Epoch() {}

    /**
     * A call that may change something begins, or is about to be known to have ended.
     *
     * @param group the group of its method, empty for none
     */
    public static void changing(String group) {
        if (!watched) {
            return;
        }
        ALL.incrementAndGet();
        (group.isEmpty() ? UNGROUPED : of(group)).incrementAndGet();
    }

    /**
     * The number of now, to be read before something is read ahead. It only grows.
     *
     * @param group the group of the method that reads, empty for none
     */
    public static long watch(String group) {
        if (!watched) {
            watched = true;
        }
        return group.isEmpty() ? ALL.get() : UNGROUPED.get() + of(group).get();
    }

    private static AtomicLong of(String group) {
        AtomicLong known = GROUPS.get(group);
        return known != null ? known : GROUPS.computeIfAbsent(group, name -> new AtomicLong());
    }
}
