package dev.cleave.rt;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The elements that one strand adds to a queue from which another takes (R71). Elements reach the reader only once the reader is behind the
 * place where they were added: so it finds at each place what the program will find there.
 */
final class StrandFeed {

    private record Added(@Nullable Object element, long pass) {}

    private final LongSupplier passes;
    private final BooleanSupplier hasEnded;
    private final Collection<Object> reader;
    private final Deque<Added> added = new ArrayDeque<>();

    private final int behind;

    /**
     * Makes it for the reader's queue.
     *
     * @param passes how many passes the writer has completed
     * @param hasEnded whether the writer has ended
     * @param behind 1 if the reader asks behind what the writer adds in a pass, 0 if it asks before that
     */
    StrandFeed(LongSupplier passes, BooleanSupplier hasEnded, Collection<Object> reader, int behind) {
        this.passes = passes;
        this.hasEnded = hasEnded;
        this.reader = reader;
        this.behind = behind;
    }

    /** The writer adds an element. */
    void add(@Nullable Object element) {
        added.add(new Added(element, passes.getAsLong()));
    }

    /**
     * Whether the reader knows, in a pass, what its queue begins with, or that it is empty.
     */
    boolean isKnown(long pass) {
        Added first = added.peek();
        return !reader.isEmpty()
                || first != null && first.pass() < pass + behind
                || passes.getAsLong() >= pass + behind;
    }

    /** Whether the reader will never know: the writer has ended before that pass. */
    boolean isOver(long pass) {
        return hasEnded.getAsBoolean() && !isKnown(pass);
    }

    /** Moves what the reader may know in a pass to its queue. */
    void move(long pass) {
        for (Added first = added.peek(); first != null && first.pass() < pass + behind; first = added.peek()) {
            added.remove();
            reader.add(first.element());
        }
    }
}
