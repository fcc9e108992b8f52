package dev.cleave.broker.relay;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.transport.Connection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;

/** Stops reading from a connection while there is a reason to, and there may be several. Thread-safe. */
public final class ReadingGate {

    private final Connection connection;

    @GuardedBy("this")
    private final Set<Object> reasons = Collections.newSetFromMap(new IdentityHashMap<>());

    /** An open gate. */
    public ReadingGate(Connection connection) {
        this.connection = requireNonNull(connection, "connection");
    }

    /** Reads no more until the reason is released. */
    public synchronized void hold(Object reason) {
        if (reasons.add(reason) && reasons.size() == 1) {
            connection.reading(false);
        }
    }

    /** The reason has gone. */
    public synchronized void release(Object reason) {
        if (reasons.remove(reason) && reasons.isEmpty()) {
            connection.reading(true);
        }
    }

    /** Says whether nothing is read. */
    public synchronized boolean isHeld() {
        return !reasons.isEmpty();
    }

    /** Says whether nothing is read, for a reason of some kind. */
    synchronized boolean isHeldBy(Class<?> kind) {
        return reasons.stream().anyMatch(kind::isInstance);
    }
}
