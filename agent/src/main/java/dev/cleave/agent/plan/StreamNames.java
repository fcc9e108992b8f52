package dev.cleave.agent.plan;

import java.util.Set;

/** What the operations of streams do with their elements, by name. */
final class StreamNames {

    /** They make another element of each. */
    static final Set<String> MAPPING = Set.of("map", "mapToInt", "mapToLong", "mapToDouble", "mapToObj");

    /** They make any number of elements of each. */
    static final Set<String> FLATTENING = Set.of("flatMap", "flatMapToInt", "flatMapToLong", "flatMapToDouble");

    /** They make elements of another kind of the same value. */
    static final Set<String> CONVERTING = Set.of("boxed", "asLongStream", "asDoubleStream");

    /** They compare elements with the comparator that they are given. */
    static final Set<String> COMPARING = Set.of("min", "max");

    /** They run the stream. */
    static final Set<String> RUNNING = Set.of("forEach", "forEachOrdered");

    /** They may end the stream before its source does. */
    static final Set<String> EARLY =
            Set.of("anyMatch", "allMatch", "noneMatch", "findFirst", "findAny", "limit", "takeWhile");

    /** Ends that see all elements. */
    private static final Set<String> COMPLETE = Set.of(
            "toList", "toArray", "collect", "reduce", "sum", "average", "min", "max", "count", "summaryStatistics");

    private StreamNames() {}

    /** Whether an operation gives each element to its function, in order. */
    static boolean isCalling(String name) {
        return MAPPING.contains(name) || FLATTENING.contains(name) || RUNNING.contains(name) || name.equals("filter");
    }

    /** Whether an operation keeps the order of the elements, and sees them all. */
    static boolean keepsAll(String name) {
        return isCalling(name) || CONVERTING.contains(name) || COMPLETE.contains(name) || name.equals("peek");
    }
}
