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
 * Decides when the frames written to one link are flushed: at once, or with later frames, but never later than a timer
 * says. Thread-safe.
 */
final class Departures {

    /**
     * The time after which deferred frames are flushed, if their method has no aggregate: one to two times this many
     * microseconds, or up to five times as many on a connection whose frames have been flushed in time without the timer.
     */
    static final int FLUSH_MICROS = 200;

    private static final Duration FLUSH = Duration.ofNanos(FLUSH_MICROS * 1000L);
    private static final Duration RARE_FLUSH = FLUSH.multipliedBy(4);
    private static final int MOST_IDLE_TICKS = 8;

    /** After this many ticks in a row without a frame to flush the timer ticks less often: each costs a processor about 10 us. */
    private static final int CALM_TICKS = 16;

    private final Connection connection;
    private final Timer timer;
    private final AwaitedCalls awaited = new AwaitedCalls();
    private final Deferred deferred = new Deferred();
    private final Gathering calls = new Gathering();
    private final Gathering replies = new Gathering();
    private final AtomicBoolean flushScheduled = new AtomicBoolean();
    private final AtomicLong due = new AtomicLong(); // when gathered frames are to be flushed, odd; 0 if there are none
    private int idleTicks; // used only by the thread that has set flushScheduled, as the next one
    private int calmTicks; // in a row, without a frame to flush
    private boolean looksTwice; // the next tick comes early, for frames that were buffered at the last one

    Departures(Connection connection, Timer timer) {
        this.connection = requireNonNull(connection, "connection");
        this.timer = requireNonNull(timer, "timer");
    }

    /**
     * Writes the frame of a call, which it takes over.
     *
     * @param most how much is gathered before the flush; null to flush soon, at once if no other call is under way
     * @param alone whether no other call is under way
     */
    void defer(ByteBuf frame, long id, @Nullable Aggregate most, boolean alone) {
        int bytes = frame.readableBytes();
        connection.write(frame);
        if (most != null) {
            Aggregate gathered = calls.of(most, bytes, timer.nanos());
            flushWithin(gathered.delay(), deferred.mustGoWith(id, bytes, gathered.bytes()));
        } else if (deferred.mustGoWith(id, bytes, alone)) {
            flush();
        } else {
            scheduleFlush();
        }
    }

    /**
     * Counts a reply of {@code bytes} bytes that no thread is known to wait for, and flushes once {@code most} is
     * gathered.
     */
    void gathered(int bytes, Aggregate most) {
        Aggregate chosen = replies.of(most, bytes, timer.nanos());
        flushWithin(chosen.delay(), deferred.isGathered(bytes, chosen.bytes()));
    }

    /** Tells the server, with the next flush, that a thread is blocked on a call. */
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

    /** Sends what was written within the time that {@link #FLUSH_MICROS} says, together with later frames. */
    void flushSoon() {
        if (deferred.isFull(0)) {
            flush();
        } else {
            scheduleFlush();
        }
    }

    /**
     * Flushes for a thread that awaits a call, if the frame of the call may be deferred; {@code underWay} is the
     * number of calls under way.
     */
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
            calmTicks = 0;
            deferred.look();
            timer.schedule(FLUSH, this::flushLate);
        }
    }

    /**
     * Flushes deferred frames that no other flush has taken since the last tick. The timer repeats it while frames come: to
     * schedule it anew would cost the sender more.
     */
    private void flushLate() {
        boolean any = deferred.any();
        try {
            calmTicks++;
            boolean isOverdue = deferred.isOverdue();
            looksTwice = !looksTwice && deferred.mayBeOverdue();
            if (isOverdue || !awaited.isEmpty()) {
                calmTicks = 0;
                flush();
                idleTicks = any ? 0 : MOST_IDLE_TICKS; // a blocked thread sends nothing more soon
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
            timer.schedule(looksTwice || calmTicks < CALM_TICKS ? FLUSH : RARE_FLUSH, this::flushLate);
        }
    }
}
