package dev.cleave.agent.effect;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The effects that an op, or a whole method, may have beyond its registers.
 *
 * @param mayThrow whether it may complete abruptly
 * @param reads the heap regions that it reads and that other code may write
 * @param writes the heap regions that it writes and that other code may read, except new objects that do not escape
 * @param guards the tests under which the rest is true
 * @param output whether it writes to the console or a log
 * @param allocates whether its result is a new object without other references
 * @param barrier why no call may cross it, null if calls may
 */
public record Effect(
        boolean mayThrow,
        List<Access> reads,
        List<Access> writes,
        List<Guard> guards,
        boolean output,
        boolean allocates,
        @Nullable Barrier barrier) {

    /** No effect at all. */
    public static final Effect NONE = new Effect(false, List.of(), List.of(), List.of(), false, false, null);

    /** The effect of code that may throw, and does nothing else. */
    public static final Effect THROWS = NONE.throwing();

    /** Creates the effect of a barrier. */
    public static Effect barrier(Barrier.Kind kind, String what) {
        return new Effect(true, List.of(), List.of(), List.of(), false, false, new Barrier(kind, what));
    }

    /** Whether it has no visible effect: it may be done twice, or its result be dropped. */
    public boolean isPure() {
        return writes.isEmpty() && !output && barrier == null;
    }

    Effect throwing() {
        return new Effect(true, reads, writes, guards, output, allocates, barrier);
    }

    Effect reading(Access access) {
        return new Effect(mayThrow, with(reads, access), writes, guards, output, allocates, barrier);
    }

    Effect writing(Access access) {
        return new Effect(mayThrow, reads, with(writes, access), guards, output, allocates, barrier);
    }

    Effect guarded(Guard guard) {
        return new Effect(mayThrow, reads, writes, with(guards, guard), output, allocates, barrier);
    }

    Effect printing() {
        return new Effect(mayThrow, reads, writes, guards, true, allocates, barrier);
    }

    Effect allocating() {
        return new Effect(mayThrow, reads, writes, guards, output, true, barrier);
    }

    /** The effect of both, one after the other. */
    Effect and(Effect other) {
        return new Effect(
                mayThrow || other.mayThrow,
                joined(reads, other.reads),
                joined(writes, other.writes),
                joined(guards, other.guards),
                output || other.output,
                false,
                barrier != null ? barrier : other.barrier);
    }

    private static <T> List<T> with(List<T> list, T added) {
        return joined(list, List.of(added));
    }

    private static <T> List<T> joined(List<T> first, List<T> second) {
        List<T> joined = new ArrayList<>(first);
        for (T element : second) {
            if (!joined.contains(element)) {
                joined.add(element);
            }
        }
        return List.copyOf(joined);
    }
}
