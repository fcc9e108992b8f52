package dev.cleave;

import static java.util.Objects.requireNonNull;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Calls that are made side by side and end together, for code that runs without the agent: none of them outlives the block.
 *
 * <pre>
 *   try (Fork fork = new Fork()) {
 *       Pending&lt;Integer&gt; left = fork.async(() -&gt; one.score(a));
 *       Pending&lt;Integer&gt; right = fork.async(() -&gt; two.score(b));
 *       fork.join();
 *       return left.await() + right.await();
 *   }
 * </pre>
 *
 * <p>Used by one thread.
 */
public final class Fork implements AutoCloseable {

    private final List<Pending<?>> calls = new ArrayList<>();
    private boolean closed;

    /** A call that can be given up so that it is certainly over afterwards. For stubs. */
    public interface Discarded {

        /**
         * Gives the call up. If the call may not be executed twice, waits until it has ended, at most until its
         * deadline.
         */
        void discard();
    }

    /** Creates a fork without calls. */
    public Fork() {}

    /**
     * Sends a call, as {@link Cleave#async(Callable)} does.
     *
     * @param call exactly one call of a method of a stub, whose result it returns as it is
     */
    @SuppressWarnings("TypeParameterUnusedInFormals")
    public <T extends @Nullable Object> Pending<T> async(Callable<T> call) {
        checkOpen();
        return entered(Cleave.async(call));
    }

    /**
     * Sends a call without a result, as {@link Cleave#async(Cleave.Action)} does.
     *
     * @param call exactly one call of a method of a stub
     */
    public Pending<@Nullable Void> async(Cleave.Action call) {
        checkOpen();
        return entered(Cleave.async(call));
    }

    /**
     * Waits until all calls have ended. If calls have failed, gives the others up and throws the failure of the failed
     * call that was made first; failures of other calls are suppressed in it.
     */
    public void join() {
        Throwable failure = null;
        for (Pending<?> call : calls) {
            if (failure != null && !call.isDone()) {
                discard(call);
                continue;
            }
            try {
                @Nullable Object unused = call.await();
            } catch (Throwable e) { // what a remote method throws may be anything
                if (failure == null) {
                    failure = e;
                } else if (failure != e) {
                    failure.addSuppressed(e);
                }
            }
        }
        if (failure != null) {
            throw Fork.<RuntimeException>as(failure);
        }
    }

    /** Gives up the calls that have not ended. */
    @Override
    public void close() {
        closed = true;
        calls.forEach(Fork::discard);
    }

    private <T extends @Nullable Object> Pending<T> entered(Pending<T> call) {
        calls.add(requireNonNull(call, "call"));
        return call;
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("the fork is closed (expected: calls within its block)");
        }
    }

    private static void discard(Pending<?> call) {
        if (!call.isDone()) {
            if (call instanceof Discarded known) {
                known.discard();
            } else {
                boolean unused = call.cancel();
            }
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <E extends Throwable> E as(Throwable failure) throws E {
        throw (E) failure;
    }
}
