package dev.cleave.broker.relay;

import dev.cleave.transport.Connection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The connections to which something was written while the frames of one read were handled: flushed together behind the
 * last frame. Event thread of the connection that was read only.
 */
final class FlushBatch {

    private final LongSupplier nanos;
    private final Set<Connection> written = new LinkedHashSet<>();
    private boolean reading;
    private long beganNanos;

    FlushBatch(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** Records a frame of the read. */
    void onFrame() {
        if (!reading) {
            reading = true;
            beganNanos = nanos.getAsLong();
        }
    }

    /** Returns how many nanoseconds ago the first frame of the read came. */
    long ageNanos() {
        return nanos.getAsLong() - beganNanos;
    }

    /** Adds a connection that was written to; nothing if null. */
    void add(@Nullable Connection to) {
        if (to != null) {
            written.add(to);
        }
    }

    /** The frames of the read have been handled: flushes what was written. */
    void end() {
        reading = false;
        List<Connection> flushed = List.copyOf(written);
        written.clear();
        flushed.forEach(Connection::flush);
    }

    /** Flushes what was written by a task that runs outside of a read. */
    void flushOutsideRead() {
        if (!reading) {
            end();
        }
    }
}
