package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.store.StoreException;
import dev.cleave.concurrent.SafeLog;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The two threads of a broker of a cluster, and the ways between them.
 *
 * @param registry that of the registry, which owns all state
 * @param store one that may block, runs its tasks in order, and runs the verbs of the store
 */
public record ClusterThreads(Executor registry, Executor store) {

    private static final System.Logger LOG = SafeLog.of(ClusterThreads.class);

    /** Checks its components. */
    public ClusterThreads {
        requireNonNull(registry, "registry");
        requireNonNull(store, "store");
    }

    /**
     * Runs a verb of the store; a failure is logged. On any thread.
     *
     * @param what it does, for the log
     * @return false if the broker is closed, and the verb does not run
     */
    boolean onStore(String what, Runnable verb) {
        try {
            store.execute(() -> {
                try {
                    verb.run();
                } catch (StoreException e) {
                    LOG.log(System.Logger.Level.DEBUG, "{0}: {1}", what, e.getMessage());
                } catch (RuntimeException e) {
                    LOG.log(System.Logger.Level.WARNING, what, e);
                }
            });
            return true;
        } catch (RejectedExecutionException e) {
            return false;
        }
    }

    /** Runs a task on the registry's thread, unless the broker is closed. On any thread. */
    void onRegistry(Runnable task) {
        try {
            registry.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(System.Logger.Level.DEBUG, "after the end of the broker", e);
        }
    }
}
