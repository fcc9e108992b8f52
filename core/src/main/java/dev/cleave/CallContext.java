package dev.cleave;

import static java.util.Objects.requireNonNull;

import java.lang.reflect.Method;
import java.security.Principal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The call that the current thread serves: who makes it, how long it may take, whether its caller still wants it, and
 * the texts that travel with it.
 *
 * <pre>
 *   public Report build(Query query) {
 *       CallContext call = CallContext.current();
 *       for (Part part : query.parts()) {
 *           if (call.isCancelled()) {
 *               return null;                       // the result is not wanted
 *           }
 *           ...
 *       }
 *   }
 * </pre>
 *
 * <p>{@link #current} works on the thread that runs the served method, from its first line to its last. The object may be
 * given to other threads and kept: it is thread-safe, and does not change when the call has ended.
 */
public interface CallContext {

    /**
     * Returns the call that this thread serves.
     *
     * @throws IllegalStateException if it serves none; see {@link #find}
     */
    static CallContext current() {
        return find().orElseThrow(() ->
                new IllegalStateException("no remote call is served by this thread (expected: CallContext.current() in"
                        + " a method of a bound object, on the thread that runs it)"));
    }

    /** Returns the call that this thread serves; empty if it serves none. */
    static Optional<CallContext> find() {
        Source serving = (Source) Place.HERE.get()[0];
        return serving == null ? Optional.empty() : Optional.of(serving.context());
    }

    /** The name of the service that is called; of an object without a name, that of its interface. */
    String service();

    /** The method of the remote interface. */
    Method method();

    /**
     * The caller: the identity that it has proved, if connections are encrypted ({@link #isCallerProved}). Else its
     * name is that of the calling node, as the node gives it itself; a call that came through a broker has the name of the
     * broker, {@code /} and a number that the broker gives to each client.
     */
    Principal caller();

    /** Whether the name of the {@link #caller} is an identity that it has proved; otherwise the name says nothing. */
    boolean isCallerProved();

    /**
     * The time that is left until the deadline of the call; zero when it has passed. A call that was sent before its
     * caller had come to its place has the whole time that the interface or the file of this node allows the method.
     */
    Duration remaining();

    /**
     * Whether the result is not wanted any more: the caller has cancelled the call, its waiting thread was interrupted, or
     * the deadline has passed. The thread that runs the method is {@linkplain Thread#interrupt interrupted} at the first
     * word of it, except on an event thread ({@link Inline}).
     */
    boolean isCancelled();

    /**
     * Runs a task once when the caller gives the call up before the method has answered, at once if it has done so. The
     * task runs on a thread of its own, and may block. The mere passing of the deadline does not run it; a caller that
     * lives says that its deadline has passed.
     */
    void onCancel(Runnable task);

    /** The texts that travel with the call, by key; unmodifiable. */
    Map<String, String> attachments();

    /**
     * Keeps a value in this node, until it is freed or no node holds its reference: a method that returns the reference
     * lets its result stay here.
     *
     * @throws IllegalArgumentException if the value is null
     */
    <T> Ref<T> put(T value);

    /** The call that a thread serves. For servers. */
    @FunctionalInterface
    interface Source {

        /** Returns the context of the call. */
        CallContext context();
    }

    /** Where one thread keeps what it serves. For servers. */
    final class Place {

        /**
         * An array of one element for each thread, which holds a {@link Source} or null. Threads may outlive this class, so
         * its own types stay out of the thread-local value.
         */
        private static final ThreadLocal<@Nullable Object[]> HERE = ThreadLocal.withInitial(() -> new Object[1]);

        private final @Nullable Object[] here;

        private Place(@Nullable Object[] here) {
            this.here = here;
        }

        /** Returns the place of the current thread, which alone may use it. */
        public static Place here() {
            return new Place(HERE.get());
        }

        /** The thread serves a call from now on. */
        public void enter(Source call) {
            here[0] = requireNonNull(call, "call");
        }

        /** The thread serves no call any more. */
        public void leave() {
            here[0] = null;
        }
    }
}
