package dev.cleave.node;

import dev.cleave.concurrent.SafeLog;
import org.jspecify.annotations.Nullable;

/**
 * Lets a node leave before its JVM ends, by SIGTERM, Ctrl-C or {@link System#exit}: from {@link #arm} until {@link #disarm}.
 * Thread-safe.
 */
final class AtExit {

    private static final System.Logger LOG = SafeLog.of(AtExit.class);

    private final String name;
    private final Runnable leaving;
    private @Nullable Thread hook; // guarded by this

    /**
     * Creates what does nothing yet.
     *
     * @param leaving lets the node leave, within a limit
     */
    AtExit(String name, Runnable leaving) {
        this.name = name;
        this.leaving = leaving;
    }

    /** The node serves something from now on. */
    synchronized void arm() {
        if (hook != null) {
            return;
        }
        Thread made = new Thread(leaving, "cleave-exit-" + name);
        try {
            Runtime.getRuntime().addShutdownHook(made);
            hook = made;
        } catch (IllegalStateException e) { // the JVM ends already
            LOG.log(System.Logger.Level.DEBUG, "node {0} does not drain: {1}", name, String.valueOf(e.getMessage()));
        }
    }

    /** The node has been closed. */
    synchronized void disarm() {
        Thread known = hook;
        hook = null;
        if (known != null) {
            try {
                Runtime.getRuntime().removeShutdownHook(known);
            } catch (IllegalStateException e) { // the JVM ends, perhaps by way of the hook
                LOG.log(System.Logger.Level.TRACE, "the JVM ends");
            }
        }
    }
}
