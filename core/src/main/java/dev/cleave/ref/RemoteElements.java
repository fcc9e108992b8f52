package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallException;
import dev.cleave.Cleave;
import dev.cleave.Pending;
import dev.cleave.call.Failures;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.WeakHashMap;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * The elements of a stream, iterator, iterable or publisher of another node, fetched while the program takes those that
 * have come: one batch ahead, of at most {@value #MOST} elements. Of one thread at a time.
 */
final class RemoteElements implements Iterator<@Nullable Object>, AutoCloseable {

    /** The greatest credit. */
    static final int MOST = 256;

    private static final AtomicLong CURSORS = new AtomicLong(1);
    private static final Map<Stream<?>, WeakReference<RemoteElements>> STREAMS =
            Collections.synchronizedMap(new WeakHashMap<>()); // streams compare by identity

    private final ElementSource source;
    private final long cursor = CURSORS.getAndIncrement();
    private final Deque<Object> here = new ArrayDeque<>(); // NULL for null
    private @Nullable Pending<List<Object>> coming;
    private int credit = 1;
    private boolean isOver;
    private volatile boolean isClosed;
    private @Nullable Throwable failure; // in the place of the next element, behind those that are here
    private final List<ElementsAhead> ahead = new ArrayList<>(0); // one for each stage of the code that runs ahead

    private static final Object NULL = new Object();

    private RemoteElements(ElementSource source) {
        this.source = source;
    }

    /** Returns the elements as the program expects them. */
    static Object as(Class<?> type, ElementSource source) {
        if (type == Iterator.class) {
            return new RemoteElements(source);
        } else if (type == Iterable.class) {
            return new Elements(source);
        } else if (type == Stream.class) {
            RemoteElements elements = new RemoteElements(source);
            int order = Spliterator.ORDERED;
            Stream<?> stream = StreamSupport.stream(
                            () -> Spliterators.spliteratorUnknownSize(elements, order), order, false)
                    .onClose(elements::close);
            STREAMS.put(stream, new WeakReference<>(elements));
            return stream;
        }
        return new Published(source);
    }

    /** The elements of a stream; null if it is none of another node. */
    static @Nullable RemoteElements of(Stream<?> stream) {
        WeakReference<RemoteElements> known = STREAMS.get(stream);
        return known == null ? null : known.get();
    }

    private record Elements(ElementSource source) implements Iterable<@Nullable Object> {

        @Override
        public Iterator<@Nullable Object> iterator() {
            return new RemoteElements(source);
        }
    }

    @Override
    public boolean hasNext() {
        while (here.isEmpty() && !isOver) {
            if (isClosed) {
                throw new IllegalStateException("the elements of another node have been closed");
            }
            Throwable failed = failure;
            if (failed != null) { // the element that was to come is a failure: none comes after it
                failure = null;
                isOver = true;
                throw Failures.<RuntimeException>sneak(failed);
            }
            awaitBatch();
        }
        return !here.isEmpty();
    }

    private void awaitBatch() {
        Pending<List<Object>> batch = coming != null ? coming : fetch();
        coming = null;
        try {
            take(batch.await());
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    /** Follows this iterator, if it has not begun. */
    @Nullable
    ElementsAhead ahead() {
        if (coming != null || isOver || isClosed || failure != null || !here.isEmpty() || credit > 1) {
            return null;
        }
        ElementsAhead following = new ElementsAhead(this);
        ahead.add(following);
        return following;
    }

    /** Waits until an element, the end, or a failure has come. */
    void awaitQuietly() {
        int known = here.size();
        while (here.size() == known && !isOver && !isClosed && failure == null) {
            awaitBatch();
        }
    }

    /** Takes what has come; says whether that were elements. */
    boolean poll() {
        Pending<List<Object>> batch = coming;
        int known = here.size();
        if (batch != null && known < MOST && failure == null && !isClosed && batch.isDone()) {
            awaitBatch();
        }
        return here.size() > known;
    }

    private void take(List<Object> batch) {
        isOver = batch.get(0).equals(1);
        for (int i = 1; i < batch.size(); i++) {
            Object element = batch.get(i);
            Object kept = element == null ? NULL : element;
            here.add(kept);
            for (ElementsAhead each : ahead) {
                each.arrived(kept);
            }
        }
        credit = Math.min(MOST, 2 * credit);
        if (!isOver && !isClosed) {
            coming = fetch();
        }
    }

    private Pending<List<Object>> fetch() {
        return Cleave.async(() -> source.next(cursor, credit));
    }

    @Override
    public @Nullable Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return orNull(here.remove());
    }

    static @Nullable Object orNull(Object kept) {
        return kept == NULL ? null : kept;
    }

    /** Ends the iteration: the other node gives up what has not been sent. */
    @Override
    public void close() {
        if (isClosed || isOver) {
            return;
        }
        isClosed = true;
        Pending<?> batch = coming;
        if (batch != null) {
            batch.cancel();
        }
        try {
            source.cancel(cursor);
        } catch (CallException e) { // the other node is gone, or has ended it
            requireNonNull(e);
        }
    }

    /** The elements as a publisher; each subscription fetches them with a thread of its own while it has demand. */
    private record Published(ElementSource source) implements Flow.Publisher<Object> {

        @Override
        public void subscribe(Flow.Subscriber<? super Object> subscriber) {
            requireNonNull(subscriber, "subscriber");
            subscriber.onSubscribe(new Subscribed(new RemoteElements(source), subscriber));
        }
    }

    private static final class Subscribed implements Flow.Subscription, Runnable {

        private final RemoteElements elements;
        private final Flow.Subscriber<? super Object> subscriber;
        private final AtomicLong demand = new AtomicLong();
        private volatile boolean isOver;

        Subscribed(RemoteElements elements, Flow.Subscriber<? super Object> subscriber) {
            this.elements = elements;
            this.subscriber = subscriber;
        }

        @Override
        public void request(long more) {
            if (isOver) {
                return;
            }
            if (more <= 0) {
                cancel();
                subscriber.onError(new IllegalArgumentException("request: " + more + " (expected: 1 or more)"));
            } else if (demand.getAndUpdate(now -> now + more < 0 ? Long.MAX_VALUE : now + more) == 0) {
                Thread thread = new Thread(this, "cleave-publisher");
                thread.setDaemon(true);
                thread.start();
            }
        }

        @Override
        public void run() {
            try {
                do {
                    if (isOver) {
                        return;
                    }
                    if (!elements.hasNext()) {
                        isOver = true;
                        subscriber.onComplete();
                        return;
                    }
                    subscriber.onNext(elements.next());
                } while (demand.decrementAndGet() > 0);
            } catch (Throwable e) { // of the other node, or of the subscriber
                if (!isOver) {
                    isOver = true;
                    elements.close();
                    subscriber.onError(e);
                }
            }
        }

        @Override
        public void cancel() {
            isOver = true;
            elements.close();
        }
    }
}
