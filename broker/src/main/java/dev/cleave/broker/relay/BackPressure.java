package dev.cleave.broker.relay;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.transport.Connection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Stops reading from a connection while there is a reason to; there may be several. Thread-safe. */
public final class BackPressure {

    private final Connection connection;
    private final Object unreadAnswers = new Object(); // a reason for not reading

    @GuardedBy("this")
    private final Set<Object> reasons = Collections.newSetFromMap(new IdentityHashMap<>());

    /** Creates a gate that reads until there is a reason not to. */
    public BackPressure(Connection connection) {
        this.connection = requireNonNull(connection, "connection");
    }

    /** Stops reading until the reason is released. */
    public void hold(Object reason) {
        boolean unused = holdFirst(reason);
    }

    /** Stops reading until the reason is released; returns whether the reason is a new one. */
    public synchronized boolean holdFirst(Object reason) {
        boolean isNew = reasons.add(reason);
        if (isNew && reasons.size() == 1) {
            connection.reading(false);
        }
        return isNew;
    }

    /** Releases a reason: reads again if it was the last one. */
    public synchronized void release(Object reason) {
        if (reasons.remove(reason) && reasons.isEmpty()) {
            connection.reading(true);
        }
    }

    /** Handles a written answer of the broker: if the peer does not read, stops reading until it does. */
    public void answered() {
        if (!connection.isWritable()) {
            hold(unreadAnswers);
            if (connection.isWritable()) {
                release(unreadAnswers);
            }
        }
    }

    /** Handles that the peer has read what was written. */
    public void onWritable() {
        release(unreadAnswers);
    }

    /** Whether reading is stopped. */
    public synchronized boolean isHeld() {
        return !reasons.isEmpty();
    }

    /** Whether reading is stopped for a reason of a type. */
    synchronized boolean isHeldBy(Class<?> type) {
        return reasons.stream().anyMatch(type::isInstance);
    }
}
