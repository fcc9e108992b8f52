package dev.cleave.call;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.intercept.CallObserver;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Tells the observers of one call how it goes on: each word once, the last one first. Thread-safe. */
public final class Observation {

    private static final System.Logger LOG = SafeLog.of(Observation.class);

    private final List<CallObserver> observers;
    private final AtomicBoolean hasReached;
    private final AtomicBoolean hasEnded = new AtomicBoolean();

    /**
     * Creates the observation of a call.
     *
     * @param isAhead whether the program has still to come to its place
     */
    public Observation(List<CallObserver> observers, boolean isAhead) {
        this.observers = List.copyOf(observers);
        hasReached = new AtomicBoolean(!isAhead);
    }

    /** The program waits for the end of the call. */
    public void reached() {
        if (!hasReached.get() && hasReached.compareAndSet(false, true)) {
            tell(CallObserver::reached);
        }
    }

    /** The program is told how the call has ended. */
    public void ended(@Nullable Object result, @Nullable Throwable failure) {
        if (hasEnded.compareAndSet(false, true)) {
            tell(each -> each.ended(result, failure));
        }
    }

    /** The program has given the call up. */
    public void givenUp() {
        if (hasEnded.compareAndSet(false, true)) {
            tell(CallObserver::givenUp);
        }
    }

    private void tell(Consumer<CallObserver> word) {
        for (int i = observers.size() - 1; i >= 0; i--) {
            try {
                word.accept(observers.get(i));
            } catch (Throwable e) { // user code
                LOG.log(
                        System.Logger.Level.WARNING,
                        "an observer of a call threw: " + observers.get(i).getClass().getName(),
                        e);
            }
        }
    }
}
