package dev.cleave.lab.history;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.TreeSet;

/**
 * A register, a counter, a set and a queue of one key: what each call does to one of them, and what it returns, follows from its
 * number and from what has been done before. One thread at a time.
 */
public final class Model {

    /** The result of a call to an empty queue. */
    public static final long NOTHING = -1;

    private static final int ELEMENTS = 16;

    private final Set<Long> elements;
    private final Deque<Long> queue;
    private long register;
    private long counter;

    /** Creates a model in its first state. */
    public Model() {
        this(0, 0, new TreeSet<>(), new ArrayDeque<>());
    }

    private Model(long register, long counter, Set<Long> elements, Deque<Long> queue) {
        this.register = register;
        this.counter = counter;
        this.elements = elements;
        this.queue = queue;
    }

    /** Returns another model in the same state. */
    public Model copy() {
        return new Model(register, counter, new TreeSet<>(elements), new ArrayDeque<>(queue));
    }

    /**
     * Does what a call does.
     *
     * @return of the register the value before, of the counter the one after, of the set its size, of the queue what was first
     */
    public long apply(long call) {
        long rest = call >>> 2;
        switch ((int) (call & 3)) {
            case 0 -> {
                long before = register;
                register = call;
                return before;
            }
            case 1 -> {
                counter += 1 + rest % 7;
                return counter;
            }
            case 2 -> {
                if (!elements.add(rest % ELEMENTS)) {
                    elements.remove(rest % ELEMENTS);
                }
                return elements.size();
            }
            default -> {
                if (rest % 2 == 0) {
                    queue.add(call);
                    return queue.size();
                }
                Long first = queue.poll();
                return first == null ? NOTHING : first;
            }
        }
    }
}
