package dev.cleave;

import static java.util.Objects.requireNonNull;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Asynchronous calls by hand, for code that runs without the agent, and stubs with settings of their own.
 *
 * <pre>
 *   Pending&lt;Integer&gt; score = Cleave.async(() -&gt; compare.score(query, genome));
 *   ...
 *   int result = score.await();
 *
 *   Compare hasty = Cleave.withDeadline(compare, Duration.ofMillis(200));
 *   Compare named = Cleave.withAttachments(hasty, Map.of("tenant", "acme"));
 * </pre>
 */
public final class Cleave {

    /**
     * An array of one element for each thread, which holds a {@link Capture} or null. Threads may outlive this class,
     * so its own types stay out of the thread-local value.
     */
    private static final ThreadLocal<@Nullable Object[]> CAPTURE = ThreadLocal.withInitial(() -> new Object[1]);

    /** Whether any call of this process was captured: until then a call need not look. */
    private static volatile boolean anyCaptured;

    private Cleave() {}

    /** One remote call without a result. */
    @FunctionalInterface
    public interface Action {

        /** Makes the call. */
        void run() throws Exception;
    }

    /** A stub that makes others of the same target with other settings. For stubs. */
    public interface Adjustable {

        /**
         * Returns such a stub.
         *
         * @param deadline of its calls; null for that of this stub
         * @param attachments added to those of this stub
         */
        Object adjusted(@Nullable Duration deadline, Map<String, String> attachments);
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
     * @param call exactly one call of a method of a stub, whose result it returns as it is; no method that returns a future, whose
     *     caller does not wait anyway
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

    /**
     * Returns a stub of the same service or object whose calls have another deadline than the interface or the file sets.
     * The given stub stays as it is.
     *
     * @param stub from {@code Node.lookup}, or a reference to an object of another node
     * @param deadline how long each call may take, positive
     * @throws IllegalArgumentException if {@code stub} is no stub
     */
    public static <T> T withDeadline(T stub, Duration deadline) {
        requireNonNull(deadline, "deadline");
        if (deadline.isNegative() || deadline.isZero()) {
            throw new IllegalArgumentException("deadline: " + deadline + " (expected: positive)");
        }
        return adjusted(stub, deadline, Map.of());
    }

    /**
     * Returns a stub of the same service or object with whose calls texts travel, which the method finds in
     * {@link CallContext#attachments}. They are added to those of the given stub, which stays as it is, and replace those
     * of the same keys.
     *
     * @param stub from {@code Node.lookup}, or a reference to an object of another node
     * @param attachments at most 64, whose keys and values take at most 8 KiB together
     * @throws IllegalArgumentException if {@code stub} is no stub, a key is empty, or there are too many
     */
    public static <T> T withAttachments(T stub, Map<String, String> attachments) {
        return adjusted(stub, null, Map.copyOf(attachments));
    }

    @SuppressWarnings("unchecked")
    private static <T> T adjusted(T stub, @Nullable Duration deadline, Map<String, String> attachments) {
        if (requireNonNull(stub, "stub") instanceof Adjustable adjustable) {
            return (T) adjustable.adjusted(deadline, attachments);
        }
        throw new IllegalArgumentException(
                "stub: " + stub.getClass().getName() + " (expected: a stub, as Node.lookup returns it)");
    }

    /** The capture that takes the next call of this thread in place of making it, or null. For stubs. */
    public static @Nullable Capture capturing() {
        return anyCaptured ? (Capture) CAPTURE.get()[0] : null;
    }

    private static Pending<?> capture(Callable<?> call) {
        @Nullable Object[] here = CAPTURE.get();
        if (here[0] != null) {
            throw new IllegalStateException("Cleave.async inside Cleave.async (expected: exactly one remote call)");
        }
        Capture capture = new Capture();
        if (!anyCaptured) {
            anyCaptured = true;
        }
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
