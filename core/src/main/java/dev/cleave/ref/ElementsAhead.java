package dev.cleave.ref;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The elements of another node for code that runs ahead of the program: those that the program's iterator will give, in the same
 * order, without taking them from it. It never throws what the program is to see. Of the thread of that iterator.
 */
public final class ElementsAhead implements Iterator<@Nullable Object> {

    /** The most elements that are kept for code which no longer asks for them. */
    private static final int MOST = 4 * RemoteElements.MOST;

    private final RemoteElements program;
    private final Deque<Object> here = new ArrayDeque<>();
    private boolean isLeft;

    ElementsAhead(RemoteElements program) {
        this.program = program;
    }

    /**
     * Follows an iterator or stream of the program that has given no element yet; null if it is none of elements of another node.
     */
    public static @Nullable ElementsAhead of(@Nullable Object elements) {
        RemoteElements followed = elements instanceof Stream<?> stream ? RemoteElements.of(stream) : null;
        if (elements instanceof RemoteElements iterator) {
            followed = iterator;
        }
        return followed == null ? null : followed.ahead();
    }

    /** Whether the next element has arrived; waits for nothing. */
    public boolean hasArrived() {
        return !here.isEmpty() || !isLeft && program.poll() && !here.isEmpty();
    }

    /** Waits for the next element, as the program would. */
    @Override
    public boolean hasNext() {
        if (here.isEmpty() && !isLeft) {
            program.awaitQuietly();
        }
        return !here.isEmpty();
    }

    @Override
    public @Nullable Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return RemoteElements.orNull(here.remove());
    }

    void arrived(Object element) {
        if (here.size() >= MOST) {
            isLeft = true;
        }
        if (isLeft) {
            here.clear();
        } else {
            here.add(element);
        }
    }
}
