package dev.cleave.agent.plan.analysis;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Makes copies that keep the order of their elements. Copies by {@link Map#copyOf} have another order in each run of
 * the JVM, and code written in the order of a plan is to be the same bytes each time.
 */
public final class InOrder {

    private InOrder() {}

    /** Returns an unmodifiable copy that keeps the order. */
    public static <K, V> Map<K, V> copyOf(Map<K, V> map) {
        return Collections.unmodifiableMap(new LinkedHashMap<>(map));
    }

    /** Returns an unmodifiable copy that keeps the order. */
    public static <E> Set<E> copyOf(Set<E> set) {
        return Collections.unmodifiableSet(new LinkedHashSet<>(set));
    }
}
