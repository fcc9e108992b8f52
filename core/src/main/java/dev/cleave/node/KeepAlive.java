package dev.cleave.node;

import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the JVM alive while a node serves something, as exported objects of RMI do: all other threads of a node are
 * daemons. {@link System#exit} and signals end the JVM as ever. Thread-safe.
 */
final class KeepAlive {

    private final String name;
    private @Nullable CountDownLatch released; // guarded by this; null while there is no thread
    private boolean ended; // guarded by this

    KeepAlive(String name) {
        this.name = name;
    }

    /**
     * Keeps the JVM alive if services are bound, and lets it end if none is or {@link #end} was called.
     *
     * @param serving says whether services are bound; asked under the lock, so that the last of two threads that bind
     * and unbind decides
     */
    synchronized void hold(BooleanSupplier serving) {
        boolean serves = serving.getAsBoolean();
        CountDownLatch held = released;
        if (serves && !ended && held == null) {
            CountDownLatch release = new CountDownLatch(1);
            Thread thread = new Thread(() -> await(release), name);
            thread.setDaemon(false);
            thread.start();
            released = release;
        } else if (!serves && held != null) {
            held.countDown();
            released = null;
        }
    }

    /** Lets the JVM end, for good. */
    synchronized void end() {
        hold(() -> false);
        ended = true;
    }

    private static void await(CountDownLatch release) {
        try {
            release.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // code that interrupts all threads of the JVM wants it to end
        }
    }
}
