package dev.cleave.call;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Counts the beginnings and ends of all calls of this process that may change something, on any thread (R60). A value
 * that was read ahead may have been changed if the count has changed since.
 *
 * <p>Groups narrow this: a call of one group does not change what calls of another group read. Both calls must have a
 * group: a call without one may change everything, or reads everything.
 *
 * <p>Costs one test of a flag until a value is read ahead for the first time. Safe for use by any thread.
 */
public final class Epoch {

    private static final AtomicLong ALL = new AtomicLong();
    private static final AtomicLong UNGROUPED = new AtomicLong();
    private static final ConcurrentMap<String, AtomicLong> GROUPS = new ConcurrentHashMap<>();
    private static volatile boolean watched;

    private Epoch() {}

    /**
     * Counts a call that may change something: when it begins, and before it is known to have ended.
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
     * Returns the count, to be read before a value is read ahead. It only grows.
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
