package dev.cleave.broker.cluster;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.store.Key;
import dev.cleave.broker.store.StoreException;
import dev.cleave.concurrent.SafeLog;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

/**
 * The threads of a broker of a cluster, and the ways between them.
 *
 * @param registry that of the registry, which owns all state
 * @param store one that may block, runs its tasks in order, and runs the verbs of the store that concern no one replica
 * @param writers each as the store's; the verbs of one replica run on the same of them, in order, those of several side by side
 */
public record ClusterThreads(Executor registry, Executor store, List<Executor> writers) {

    /** How many verbs of different replicas a broker runs side by side: each waits for some round trips to the store. */
    public static final int WRITERS = 8;

    private static final System.Logger LOG = SafeLog.of(ClusterThreads.class);

    /** Checks its components. */
    public ClusterThreads {
        requireNonNull(registry, "registry");
        requireNonNull(store, "store");
        writers = List.copyOf(writers);
    }

    /** One thread for all verbs of the store. */
    public ClusterThreads(Executor registry, Executor store) {
        this(registry, store, List.of(store));
    }

    /**
     * Runs a verb of the store that concerns one replica, after the earlier ones of the same replica; a failure is logged. On any thread.
     *
     * @param what it does, for the log
     * @return false if the broker is closed, and the verb does not run
     */
    boolean onStore(Key replica, String what, Runnable verb) {
        return run(writers.get(Math.floorMod(replica.hashCode(), writers.size())), what + " " + replica, verb);
    }

    /**
     * Runs a verb of the store; a failure is logged. On any thread.
     *
     * @param what it does, for the log
     * @return false if the broker is closed, and the verb does not run
     */
    boolean onStore(String what, Runnable verb) {
        return run(store, what, verb);
    }

    private static boolean run(Executor thread, String what, Runnable verb) {
        try {
            thread.execute(() -> {
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
