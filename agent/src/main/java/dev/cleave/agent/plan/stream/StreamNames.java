package dev.cleave.agent.plan.stream;

import dev.cleave.agent.plan.strand.LoopCode;
import java.util.Set;

/** The names of the operations of streams, by the use that they make of their elements. */
final class StreamNames {

    /** Operations that make another element of each. */
    static final Set<String> MAPPING = LoopCode.MAPPING;

    /** Operations that make any number of elements of each. */
    static final Set<String> FLATTENING = Set.of("flatMap", "flatMapToInt", "flatMapToLong", "flatMapToDouble");

    /** Operations that make elements of another kind of the same value. */
    static final Set<String> CONVERTING = Set.of("boxed", "asLongStream", "asDoubleStream");

    /** Operations that compare elements with the comparator that they are given. */
    static final Set<String> COMPARING = Set.of("min", "max");

    /** Operations that run the stream. */
    static final Set<String> RUNNING = Set.of("forEach", "forEachOrdered", "replaceAll", "removeIf", "setAll");

    /** Operations that may end the stream before its source does. */
    static final Set<String> EARLY =
            Set.of("anyMatch", "allMatch", "noneMatch", "findFirst", "findAny", "limit", "takeWhile");

    /** Ends that see all elements. */
    private static final Set<String> COMPLETE = Set.of(
            "toList", "toArray", "collect", "reduce", "sum", "average", "min", "max", "count", "summaryStatistics");

    /** Operations that compare elements with those before them. */
    private static final Set<String> GATHERING = Set.of("sorted", "distinct");

    /** Operations that run the stream, perhaps not to its end, and give elements to their function. */
    private static final Set<String> TESTING = Set.of("anyMatch", "allMatch", "noneMatch");

    /** Operations that pass on elements as they were, though perhaps not all. */
    private static final Set<String> PASSING =
            Set.of("filter", "peek", "limit", "takeWhile", "boxed", "unordered", "sequential");

    /** Operations that pass on some elements and not others. */
    private static final Set<String> SELECTING = Set.of("filter", "distinct", "mapMulti");

    /** Operations behind which the stream is not one pass in the thread that runs it. */
    static final Set<String> UNORDERED = Set.of("parallel", "iterator", "spliterator", "onClose");

    /** Operations with a number as their argument. */
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

    /** Whether an operation takes all elements in order, one at a time, or before it passes on the first. */
    static boolean takesAll(String name) {
        return isCalling(name)
                || CONVERTING.contains(name)
                || COMPLETE.contains(name)
                || GATHERING.contains(name)
                || name.equals("peek");
    }
}
