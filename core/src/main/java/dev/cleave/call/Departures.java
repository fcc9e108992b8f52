package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.Timer;
import dev.cleave.config.Aggregate;
import dev.cleave.transport.Connection;
import dev.cleave.wire.Awaited;
import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * When what is written to one link goes: at once, or together with what follows, but never later than a timer says. Thread-safe.
 */
final class Departures {

    /** After how many to twice as many microseconds what was deferred goes, unless it is said how much may be gathered. */
    static final int FLUSH_MICROS = 200;

    private static final Duration FLUSH = Duration.ofNanos(FLUSH_MICROS * 1000L);
    private static final int MOST_IDLE_TICKS = 8;

    private final Connection connection;
    private final Timer timer;
    private final AwaitedCalls awaited = new AwaitedCalls();
    private final Deferred deferred = new Deferred();
    private final AtomicBoolean flushScheduled = new AtomicBoolean();
    private final AtomicLong due = new AtomicLong(); // when what was gathered is to go, odd; 0 if nothing is to
    private int idleTicks; // of whoever has set flushScheduled

    Departures(Connection connection, Timer timer) {
        this.connection = requireNonNull(connection, "connection");
        this.timer = requireNonNull(timer, "timer");
    }

    /**
     * Writes the frame of a call, which it takes over.
     *
     * @param most how much is gathered before it goes; null to send it soon, at once if no other call is under way
     * @param alone whether no other call is under way
     */
    void defer(ByteBuf frame, long id, @Nullable Aggregate most, boolean alone) {
        int bytes = frame.readableBytes();
        connection.write(frame);
        if (most != null) {
            flushWithin(most.delay(), deferred.mustGoWith(id, bytes, most.bytes()));
        } else if (deferred.mustGoWith(id, bytes, alone)) {
            flush();
        } else {
            scheduleFlush();
        }
    }

    /** A reply of so many bytes was written that nobody is known to wait for. */
    void gathered(int bytes, Aggregate most) {
        flushWithin(most.delay(), deferred.isGathered(bytes, most.bytes()));
    }

    /** The server is to be told, with what goes next, that somebody is blocked on a call. */
    void tellAwaited(long id) {
        awaited.add(id);
        scheduleFlush();
    }

    /** Sends what was written. */
    void flush() {
        if (!awaited.isEmpty()) {
            connection.write(new Awaited(0, awaited.take()).write(connection.allocator()));
        }
        deferred.sent();
        connection.flush();
    }

    /** Sends what was written, soon: others may have more to write. */
    void flushSoon() {
        if (deferred.isFull(0)) {
            flush();
        } else {
            scheduleFlush();
        }
    }

    /** A call is awaited, and so many are under way: sends what was deferred, if that call may be among it. */
    void flushFor(long id, int underWay) {
        if (deferred.mustGoFor(id, underWay) || !awaited.isEmpty()) {
            flush();
        }
    }

    private void flushWithin(Duration delay, boolean now) {
        if (now || delay.isZero()) {
            flush();
            return;
        }
        long at = timer.nanos() + delay.toNanos() | 1;
        long known = due.get();
        if ((known == 0 || at - known < 0) && due.compareAndSet(known, at)) {
            timer.scheduleAt(at, () -> {
                if (due.compareAndSet(at, 0)) {
                    flush();
                }
            });
        }
    }

    private void scheduleFlush() {
        if (!flushScheduled.get() && flushScheduled.compareAndSet(false, true)) {
            idleTicks = 0;
            timer.schedule(FLUSH, this::flushLate);
        }
    }

    /** Comes again and again while there is something to send: to begin anew costs the sender more. */
    private void flushLate() {
        boolean any = deferred.any();
        try {
            if (deferred.isOverdue() || !awaited.isEmpty()) {
                flush();
                idleTicks = any ? 0 : MOST_IDLE_TICKS; // who is blocked sends nothing more soon
            }
        } finally { // also after an Error: what is written later must go
            lookAgain(any);
        }
    }

    private void lookAgain(boolean any) {
        if (!any && ++idleTicks > MOST_IDLE_TICKS) {
            flushScheduled.set(false);
            if (deferred.any() || !awaited.isEmpty()) {
                scheduleFlush();
            }
            return;
        }
        if (!connection.isClosed()) {
            timer.schedule(FLUSH, this::flushLate);
        }
    }
}
