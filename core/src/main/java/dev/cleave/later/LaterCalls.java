package dev.cleave.later;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Says of the calls that a thread makes in a block which of their arguments follow them, and in which order, whatever
 * annotations and the application file say:
 *
 * <pre>
 *   try (LaterCalls order = LaterCalls.choose("table", "genome")) {
 *       compare.score(query, genome, table);      // the table first, then the genome
 *   }
 * </pre>
 *
 * Values of type {@link dev.cleave.Later.Value} and {@link java.io.InputStream} follow in any case. Of one thread.
 */
public final class LaterCalls implements AutoCloseable {

    private static final ThreadLocal<@Nullable LaterCalls> CURRENT = new ThreadLocal<>();
    private static volatile boolean used; // most programs never do

    private final List<String> parameters;
    private final @Nullable LaterCalls outer;

    private LaterCalls(List<String> parameters) {
        this.parameters = parameters;
        outer = CURRENT.get();
        used = true;
        CURRENT.set(this);
    }

    /**
     * These follow, in this order, and no others. A call of a method that has no such parameter throws {@link
     * IllegalArgumentException}.
     *
     * @param parameters names, or numbers from 1 on
     */
    public static LaterCalls choose(String... parameters) {
        return new LaterCalls(List.of(parameters));
    }

    /** Streams no parameter. */
    public static LaterCalls none() {
        return new LaterCalls(List.of());
    }

    /** Returns the streamed parameters of the calls of this thread, null if none were chosen. */
    public static @Nullable List<String> chosen() {
        LaterCalls current = used ? CURRENT.get() : null;
        return current == null ? null : current.parameters;
    }

    @Override
    public void close() {
        if (outer == null) {
            CURRENT.remove();
        } else {
            CURRENT.set(outer);
        }
    }
}
