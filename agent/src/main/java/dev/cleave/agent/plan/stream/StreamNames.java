package dev.cleave.agent.plan.stream;

import java.util.Set;

/** The names of the operations of streams, by the use that they make of their elements. */
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
    static final Set<String> RUNNING = Set.of("forEach", "forEachOrdered", "replaceAll", "removeIf", "setAll");

    /** They may end the stream before its source does. */
    static final Set<String> EARLY =
            Set.of("anyMatch", "allMatch", "noneMatch", "findFirst", "findAny", "limit", "takeWhile");

    /** Ends that see all elements. */
    private static final Set<String> COMPLETE = Set.of(
            "toList", "toArray", "collect", "reduce", "sum", "average", "min", "max", "count", "summaryStatistics");

    /** They run the stream, perhaps not to its end, and give elements to their function. */
    private static final Set<String> TESTING = Set.of("anyMatch", "allMatch", "noneMatch");

    /** Elements come out of them as they were, if they do. */
    private static final Set<String> PASSING =
            Set.of("filter", "peek", "limit", "takeWhile", "boxed", "unordered", "sequential");

    /** Some elements come out of them and some do not. */
    private static final Set<String> SELECTING = Set.of("filter", "distinct", "mapMulti");

    /** The stages behind them are not one pass in the thread that runs the stream. */
    static final Set<String> UNORDERED = Set.of("parallel", "iterator", "spliterator", "onClose");

    /** They have numbers as arguments. */
    static final Set<String> COUNTING = Set.of("limit", "skip");

    private StreamNames() {}

    /** Whether an operation gives its elements to its function in order, perhaps not all. */
    static boolean isAsking(String name) {
        return isCalling(name) || TESTING.contains(name) || name.equals("peek") || name.equals("takeWhile");
    }

    /** Whether an operation makes no other elements. */
    static boolean keepsElements(String name) {
        return PASSING.contains(name) || TESTING.contains(name);
    }

    /** Whether some elements come out of an operation and some do not. */
    static boolean isSelecting(String name) {
        return SELECTING.contains(name) || FLATTENING.contains(name);
    }

    /** Whether an operation gives each element to its function, in order. */
    static boolean isCalling(String name) {
        return MAPPING.contains(name) || FLATTENING.contains(name) || RUNNING.contains(name) || name.equals("filter");
    }

    /** Whether an operation keeps the order of the elements, and sees them all. */
    static boolean keepsAll(String name) {
        return isCalling(name) || CONVERTING.contains(name) || COMPLETE.contains(name) || name.equals("peek");
    }
}
