package dev.cleave.ref;

import static java.util.Objects.requireNonNull;

import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The elements of a publisher, one by one: asks for the next one when the one before has been taken. */
final class PublishedElements implements Iterator<Object>, Flow.Subscriber<Object>, AutoCloseable {

    /** The longest time for which a thread waits for an element. */
    private static final long WAIT_SECONDS = 5;

    private static final Object END = new Object();

    private record Failed(Throwable thrown) {}

    private final BlockingQueue<Object> arrived = new LinkedBlockingQueue<>();
    private volatile Flow.@Nullable Subscription subscription;
    private volatile boolean isClosed;
    private @Nullable Object next; // one thread at a time
    private boolean isAsked; // the same

    @SuppressWarnings("unchecked") // a subscriber of anything
    static PublishedElements of(Flow.Publisher<?> publisher) {
        PublishedElements elements = new PublishedElements();
        ((Flow.Publisher<Object>) publisher).subscribe(elements);
        return elements;
    }

    @Override
    public void onSubscribe(Flow.Subscription made) {
        subscription = made;
        if (isClosed) {
            made.cancel();
        } else {
            made.request(1);
        }
    }

    @Override
    public void onNext(Object item) {
        arrived.add(item);
    }

    @Override
    public void onError(Throwable thrown) {
        arrived.add(new Failed(thrown));
    }

    @Override
    public void onComplete() {
        arrived.add(END);
    }

    /** Waits for the next element, or the end; false if neither has come in time. */
    boolean awaitNext() {
        Flow.Subscription known = subscription;
        if (next == null && isAsked && known != null) {
            isAsked = false;
            known.request(1);
        }
        try {
            next = next != null ? next : arrived.poll(WAIT_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return next != null;
    }

    @Override
    public boolean hasNext() {
        if (next == null && !awaitNext()) {
            throw new IllegalStateException("no element in " + WAIT_SECONDS + " s");
        }
        if (next instanceof Failed failed) {
            throw failed.thrown() instanceof RuntimeException known
                    ? known
                    : failed.thrown() instanceof Error error
                            ? sneak(error)
                            : new IllegalStateException(failed.thrown());
        }
        return next != END;
    }

    private static RuntimeException sneak(Error error) {
        throw error;
    }

    @Override
    public Object next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        Object taken = requireNonNull(next);
        next = null;
        isAsked = true;
        return taken;
    }

    @Override
    public void close() {
        isClosed = true;
        Flow.Subscription known = subscription;
        if (known != null) {
            known.cancel();
        }
    }
}
