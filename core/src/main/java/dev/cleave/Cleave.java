package dev.cleave;

import static java.util.Objects.requireNonNull;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous calls by hand, for code that runs without the agent.
 *
 * <pre>
 *   Pending&lt;Integer&gt; score = Cleave.async(() -&gt; compare.score(query, genome));
 *   ...
 *   int result = score.await();
 * </pre>
 */
public final class Cleave {

    /**
     * An array of one element for each thread, which holds a {@link Capture} or null. Threads may outlive this class,
     * so its own types stay out of the thread-local value.
     */
    private static final ThreadLocal<@Nullable Object[]> CAPTURE = ThreadLocal.withInitial(() -> new Object[1]);

    private static final AtomicInteger CAPTURES = new AtomicInteger();

    private Cleave() {}

    /** One remote call without a result. */
    @FunctionalInterface
    public interface Action {

        /** Makes the call. */
        void run() throws Exception;
    }

    /** A call that a stub has prepared but not sent. For stubs. */
    public interface Prepared {

        /** Sends the call. */
        Pending<?> start();

        /** Drops it unsent. */
        void drop();
    }

    /**
     * Sends the call that the lambda makes, and returns without waiting.
     *
     * @param call exactly one call of a method of a stub, whose result it returns as it is
     * @throws IllegalStateException if the lambda is anything else; nothing has been sent then
     */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public static <T extends @Nullable Object> Pending<T> async(Callable<T> call) {
        requireNonNull(call, "call");
        return (Pending<T>) capture(call);
    }

    /**
     * Sends the call that the lambda makes, and returns without waiting.
     *
     * @param call exactly one call of a method of a stub without a result
     * @throws IllegalStateException if the lambda is anything else; nothing has been sent then
     */
    @SuppressWarnings("unchecked")
    public static Pending<@Nullable Void> async(Action call) {
        requireNonNull(call, "call");
        return (Pending<@Nullable Void>) capture(() -> {
            call.run();
            return null;
        });
    }

    /** The capture that takes the next call of this thread in place of making it, or null. For stubs. */
    public static @Nullable Capture capturing() {
        return CAPTURES.get() == 0 ? null : (Capture) CAPTURE.get()[0];
    }

    private static Pending<?> capture(Callable<?> call) {
        @Nullable Object[] here = CAPTURE.get();
        if (here[0] != null) {
            throw new IllegalStateException("Cleave.async inside Cleave.async (expected: exactly one remote call)");
        }
        Capture capture = new Capture();
        CAPTURES.incrementAndGet();
        here[0] = capture;
        try {
            @Nullable Object returned = call.call();
            here[0] = null; // the call that was taken is sent like others
            return capture.start(returned);
        } catch (IllegalStateException e) {
            throw e;
        } catch (Exception e) { // user code
            throw new IllegalStateException(
                    "the lambda of Cleave.async threw " + e + " (expected: exactly one remote call)", e);
        } finally {
            here[0] = null;
            CAPTURES.decrementAndGet();
            capture.close();
        }
    }

    /** Holds the call of one {@link #async}. Used by one thread. For stubs. */
    public static final class Capture {

        private @Nullable Prepared prepared;
        private @Nullable Object placeholder;

        private Capture() {}

        /**
         * Takes a call.
         *
         * @param placeholder what the stub returns in place of the result, hard to make up
         * @throws IllegalStateException if this is the second call
         */
        public void take(Prepared call, @Nullable Object placeholder) {
            if (prepared != null) {
                call.drop();
                throw new IllegalStateException("a second remote call in the lambda of Cleave.async (expected: one)");
            }
            this.prepared = call;
            this.placeholder = placeholder;
        }

        private Pending<?> start(@Nullable Object returned) {
            Prepared call = prepared;
            if (call == null) {
                throw new IllegalStateException("no remote call in the lambda of Cleave.async (expected: one)");
            }
            if (!Objects.equals(returned, placeholder)) {
                throw new IllegalStateException("the lambda of Cleave.async does something with the result of its call"
                        + " (expected: exactly one remote call, returned as it is)");
            }
            prepared = null;
            return call.start();
        }

        private void close() {
            if (prepared != null) {
                prepared.drop();
            }
        }
    }
}
