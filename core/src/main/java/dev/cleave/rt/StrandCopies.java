package dev.cleave.rt;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Copies of the program's collections that strands have for themselves (R71), as they are when the nest is entered.
 * What rewritten bytecode calls; names never change.
 */
public final class StrandCopies {

    private StrandCopies() {}

    /**
     * Returns a copy of a collection or map, with the same elements in the same order; null if there is none: it has too
     * many elements, its class is not one of the JDK's that are known, or copying would run code of the program.
     */
    public static @Nullable Object copy(@Nullable Object original) {
        if (original == null || size(original) > Strand.MOST_ELEMENTS) {
            return null;
        }
        Class<?> type = original.getClass();
        if (type == ArrayList.class) {
            return ((ArrayList<?>) original).clone();
        }
        if (type == ArrayDeque.class) {
            return ((ArrayDeque<?>) original).clone();
        }
        if (type == LinkedList.class) {
            return ((LinkedList<?>) original).clone();
        }
        if (!areValues(original)) {
            return null;
        }
        if (PlainClasses.isPlainQueue(original)) {
            return new PriorityQueue<>((PriorityQueue<?>) original);
        }
        if (type == HashSet.class || type == LinkedHashSet.class) {
            return ((HashSet<?>) original).clone();
        }
        if (type == HashMap.class || type == LinkedHashMap.class) {
            return ((HashMap<?, ?>) original).clone();
        }
        if (type == TreeSet.class && ((TreeSet<?>) original).comparator() == null) {
            return ((TreeSet<?>) original).clone();
        }
        return type == TreeMap.class && ((TreeMap<?, ?>) original).comparator() == null
                ? ((TreeMap<?, ?>) original).clone()
                : null;
    }

    /** Returns a copy of a queue which tells another strand what is added to it; null if there is none. */
    public static @Nullable Object queue(@Nullable Object original) {
        if (original == null || size(original) > Strand.MOST_ELEMENTS) {
            return null;
        }
        Class<?> type = original.getClass();
        return type == ArrayDeque.class
                ? new ToldDeque((ArrayDeque<?>) original)
                : type == LinkedList.class ? new ToldList((LinkedList<?>) original) : null;
    }

    /** Notes that a strand has a copy. */
    public static void keep(@Nullable Object strand, Object copy) {
        if (strand != null) {
            ((Strand) strand).keeps(() -> size(copy));
        }
    }

    /**
     * Lets one strand take from its queue what another one adds to its own.
     *
     * @param behind 1 if in each pass it takes behind what the other one adds, 0 if it takes before that
     */
    public static void connect(
            @Nullable Object reader, Object read, @Nullable Object writer, Object written, int behind) {
        if (reader != null && writer != null) {
            StrandFeed feed =
                    new StrandFeed(((Strand) writer)::passes, ((Strand) writer)::hasEnded, queueOf(read), behind);
            ((Strand) reader).isFedBy(feed);
            if (written instanceof ToldDeque deque) {
                deque.feed = feed;
            } else {
                ((ToldList) written).feed = feed;
            }
        }
    }

    /** How many elements a collection or map has. */
    private static int size(Object object) {
        return object instanceof Collection<?> collection
                ? collection.size()
                : object instanceof Map<?, ?> map ? map.size() : Integer.MAX_VALUE;
    }

    @SuppressWarnings("unchecked") // the strands put in what the program would
    private static Collection<Object> queueOf(Object queue) {
        return (Collection<Object>) queue;
    }

    private static boolean areValues(Object original) {
        Collection<?> keys = original instanceof Map<?, ?> map
                ? map.keySet()
                : original instanceof Collection<?> collection ? collection : List.of();
        for (Object key : keys) {
            if (key != null && !PlainClasses.isValue(key)) {
                return false;
            }
        }
        return true;
    }

    private static final class ToldDeque extends ArrayDeque<Object> {

        private static final long serialVersionUID = 1L;

        private transient @Nullable StrandFeed feed;

        ToldDeque(ArrayDeque<?> original) {
            super(original);
        }

        @Override
        public void addLast(Object element) { // add, offer and offerLast come here
            super.addLast(element);
            if (feed != null) {
                feed.add(element);
            }
        }
    }

    private static final class ToldList extends LinkedList<Object> {

        private static final long serialVersionUID = 1L;

        private transient @Nullable StrandFeed feed;

        ToldList(LinkedList<?> original) {
            super(original);
        }

        @Override
        public boolean add(Object element) { // offer comes here
            super.add(element);
            if (feed != null) {
                feed.add(element);
            }
            return true;
        }

        @Override
        public void addLast(Object element) { // offerLast comes here
            super.addLast(element);
            if (feed != null) {
                feed.add(element);
            }
        }
    }
}
