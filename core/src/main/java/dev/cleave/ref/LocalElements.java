package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.SafeLog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Flow;
import java.util.concurrent.ForkJoinPool;
import java.util.function.Consumer;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * The elements of an object of this node, for one receiver. It takes no element that the receiver has no room for; it
 * closes the object when the receiver has had all, has cancelled, or is gone. Thread-safe.
 */
final class LocalElements implements ElementSource {

    /** The most iterations of one iterable that a receiver may have open. */
    static final int MOST_CURSORS = 64;

    private static final System.Logger LOG = SafeLog.of(LocalElements.class);
    private static final int MOST_ELEMENTS = 1 << 10;
    private static final long MOST_BYTES = 256 << 10;
    private static final long GATHER_NANOS = 2_000_000;

    private final Object value;
    private final Class<?> type;
    private final Consumer<LocalElements> whenOver;

    @GuardedBy("this")
    private final Map<Long, Cursor> cursors = new HashMap<>();

    @GuardedBy("this")
    private boolean isUsed;

    /**
     * Creates the elements of an object.
     *
     * @param type what it travels as: a stream, an iterator, an iterable or a publisher
     * @param whenOver runs when a receiver can fetch no more
     */
    LocalElements(Object value, Class<?> type, Consumer<LocalElements> whenOver) {
        this.value = requireNonNull(value, "value");
        this.type = requireNonNull(type, "type");
        this.whenOver = requireNonNull(whenOver, "whenOver");
    }

    Object value() {
        return value;
    }

    Class<?> type() {
        return type;
    }

    /** One iteration. */
    private static final class Cursor {

        private final Iterator<?> elements;
        private final @Nullable AutoCloseable closes;
        private @Nullable RuntimeException failure; // comes after the elements before it; guarded by this
        private @Nullable Error error; // the same
        private boolean isOver; // guarded by this
        private volatile boolean isCancelled;

        Cursor(Iterator<?> elements, @Nullable AutoCloseable closes) {
            this.elements = elements;
            this.closes = closes;
        }

        /** Takes elements of the program, at most {@code most}. */
        synchronized List<Object> take(int most) {
            List<@Nullable Object> batch = new ArrayList<>();
            batch.add(0);
            if (failure != null || error != null) {
                isOver = true;
                if (error != null) {
                    throw error;
                }
                throw requireNonNull(failure);
            }
            long bytes = 0;
            long since = System.nanoTime();
            try {
                while (batch.size() <= most && bytes < MOST_BYTES && !isCancelled) {
                    if (elements instanceof PublishedElements published && !published.awaitNext()) {
                        break;
                    }
                    if (!elements.hasNext()) {
                        batch.set(0, 1);
                        isOver = true;
                        break;
                    }
                    Object element = elements.next();
                    batch.add(element);
                    bytes += size(element);
                    if (System.nanoTime() - since > GATHER_NANOS) {
                        break; // the receiver goes on with what there is
                    }
                }
            } catch (RuntimeException e) { // user code
                failure = e;
            } catch (Error e) { // user code
                error = e;
            }
            if (batch.size() == 1 && (failure != null || error != null)) {
                return take(most);
            }
            return castList(batch);
        }

        @SuppressWarnings({"unchecked", "NullAway"}) // elements may be null
        private static List<Object> castList(List<@Nullable Object> batch) {
            return (List<Object>) (List<?>) batch;
        }

        synchronized boolean isOver() {
            return isOver;
        }

        void close() {
            isCancelled = true;
            if (closes != null) {
                try {
                    closes.close();
                } catch (Exception e) { // user code
                    LOG.log(System.Logger.Level.DEBUG, "a stream that was sent does not close", e);
                }
            }
        }
    }

    private static long size(@Nullable Object element) {
        boolean isSized = element instanceof String
                || element != null && element.getClass().isArray();
        return isSized && !(element instanceof Object[]) ? StoredBytes.of(element) : 64;
    }

    @Override
    public List<Object> next(long cursor, int most) {
        if (most < 1) {
            throw new IllegalArgumentException("most: " + most + " (expected: 1 or more)");
        }
        Cursor known = cursor(cursor);
        try {
            return known.take(Math.min(most, MOST_ELEMENTS));
        } finally {
            if (known.isOver()) {
                end(cursor);
            }
        }
    }

    private synchronized Cursor cursor(long number) {
        Cursor known = cursors.get(number);
        if (known != null) {
            return known;
        }
        if (cursors.size() >= MOST_CURSORS) {
            throw new IllegalStateException("more than " + MOST_CURSORS + " iterations at a time (close some)");
        }
        if (isUsed && !(value instanceof Iterable)) {
            throw new IllegalStateException("the elements have been taken already, or their stream was closed");
        }
        isUsed = true;
        Cursor made = opened();
        cursors.put(number, made);
        return made;
    }

    private Cursor opened() {
        if (value instanceof BaseStream<?, ?> stream) {
            return new Cursor(stream.iterator(), stream);
        }
        if (value instanceof Flow.Publisher<?> publisher) {
            PublishedElements elements = PublishedElements.of(publisher);
            return new Cursor(elements, elements);
        }
        Iterator<?> elements = value instanceof Iterable<?> all ? all.iterator() : (Iterator<?>) value;
        return new Cursor(elements, elements instanceof AutoCloseable closes ? closes : null);
    }

    @Override
    public void cancel(long cursor) {
        end(cursor);
    }

    private void end(long cursor) {
        Cursor known;
        boolean isOver;
        synchronized (this) {
            known = cursors.remove(cursor);
            isUsed = true;
            isOver = !(value instanceof Iterable);
        }
        if (known != null) {
            known.close();
        } else if (isOver) {
            new Cursor(List.of().iterator(), value instanceof AutoCloseable closes ? closes : null).close();
        }
        if (isOver) {
            whenOver.accept(this);
        }
    }

    /** Handles that no receiver is left. From any thread; the program's code runs on another one. */
    void left() {
        ForkJoinPool.commonPool().execute(() -> {
            List<Long> open;
            boolean isUnused;
            synchronized (this) {
                open = List.copyOf(cursors.keySet());
                isUnused = !isUsed;
            }
            open.forEach(this::end);
            if (isUnused) {
                end(0);
            }
        });
    }
}
