package dev.cleave.rt;

import dev.cleave.call.Encoded;
import dev.cleave.call.Epoch;
import dev.cleave.call.Handle;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The calls that an activation has sent on a guess and not yet claimed (R56 to R67).
 *
 * <p>The program is not changed: at each call that it reaches it {@linkplain #claim claims} a sent call with equal
 * arguments, and makes the call as written if there is none. In front of its passes a copy of the slice runs ahead and
 * {@linkplain #send sends}. The window and a number of bytes bound the calls here; calls that the program has passed by
 * are discarded. Confined to one thread.
 */
public final class PrefetchQueue {

    /** How far a pass that sends nothing may run ahead, in windows. */
    private static final int IDLE_WINDOWS = 16;

    /** The most bytes of arguments that wait here, apart from those of one call. */
    private static final int MOST_BYTES = 1 << 20;

    /** The most steps of inner loops in one pass ahead. */
    private static final int MOST_STEPS = 10_000;

    /** The longest array that a pass ahead makes. */
    private static final int LONGEST_ARRAY = 1 << 16;

    private final PrefetchPlace place;
    private final LongSupplier clock;
    private final Deque<PrefetchedCall> calls = new ArrayDeque<>();
    private final int firstPass;
    private final int[] waiting;
    private final Window window;
    private int bytes;
    private int steps;
    private long ahead;
    private long begun = -1;
    private long sent;
    private long firstFresh;
    private long passBegunAt;
    private long passNanos;
    private long claimed;
    private boolean finished;
    private boolean closed;
    private final Doors doors = new Doors();

    /** Begins an activation of a place; null if all its calls are better made as written. */
    static @Nullable PrefetchQueue open(PrefetchPlace place) {
        return place.isActivated() ? new PrefetchQueue(place, System::nanoTime) : null;
    }

    PrefetchQueue(PrefetchPlace place, LongSupplier clock) {
        this.place = place;
        this.clock = clock;
        this.firstPass = place.firstPass();
        this.waiting = new int[place.sites()];
        this.window = new Window(place.firstWindow(), place.bound());
        if (!place.repeats()) {
            begun = 0;
            passBegunAt = clock.getAsLong();
        }
    }

    /** Sends nothing ahead before a helper of another class may be asked. */
    void waitFor(HelperDoor door) {
        doors.add(door);
    }

    boolean hasRoom() {
        if (doors.areShut()) {
            finished |= doors.isTooLong();
            // the run-ahead only keeps up with the passes that the program makes meanwhile, and sends nothing
            return false;
        }
        if (finished
                || begun < firstPass
                || !calls.isEmpty() && (calls.size() + place.sites() > room() || bytes >= MOST_BYTES || !fits())
                || ahead - begun > (long) IDLE_WINDOWS * room()) {
            return false;
        }
        steps = 0;
        passBegunAt = clock.getAsLong();
        return true;
    }

    /** Whether there is room for the results of one more pass. */
    private boolean fits() {
        return calls.getLast().handle().mayBeFollowedBy(place.sites());
    }

    /** The number of calls that may be in flight: at least the calls of one pass. */
    private int room() {
        return Math.max(window.size(), Math.min(place.sites(), place.bound()));
    }

    /** Whether a call in a row is worth sending. */
    boolean wants(int position) {
        steps = 0;
        return !place.site(position).isStopped();
    }

    /** Counts a step of an inner loop; false if there were too many. */
    boolean step() {
        return ++steps <= MOST_STEPS;
    }

    /** Whether a pass ahead may make an array. */
    boolean mayMake(int length) {
        steps += length >>> 4;
        return length <= LONGEST_ARRAY && step();
    }

    /** Sends a call; if that is impossible, ends running ahead and returns false. */
    boolean send(int position, @Nullable Encoded call) {
        PrefetchSite site = place.site(position);
        if (call == null) {
            site.site().declined();
            finished = true;
            return false;
        }
        if (site.isStopped()) {
            finished = !place.isWanted();
            return !finished;
        }
        if (ahead < begun || call.size() >= MOST_BYTES) {
            return true; // the program has passed this call, or the call is better made at its place
        }
        long epoch = Epoch.watch(call.group());
        Handle handle = call.send();
        site.site().sent();
        calls.addLast(new PrefetchedCall(position, ahead, sent++, epoch, passBegunAt, call, handle));
        waiting[position]++;
        bytes += call.size();
        return true;
    }

    void ahead() {
        if ((ahead++ & 15) == 0) {
            passNanos = clock.getAsLong() - passBegunAt;
        }
    }

    void finish() {
        finished = true;
    }

    /** Whether there are no more passes ahead. */
    boolean isFinished() {
        return finished;
    }

    /** Called when the program begins a pass: discards the calls that were sent for earlier passes. */
    void begin() {
        begun++;
        if (calls.isEmpty() || calls.getFirst().iteration() >= begun) {
            return;
        }
        withdraw(call -> call.iteration() < begun);
        while (!calls.isEmpty() && calls.getFirst().iteration() < begun) {
            PrefetchedCall call = calls.removeFirst();
            giveUp(call);
            place.site(call.position()).failed();
        }
    }

    /** Whether a claim may find a call. */
    boolean mayClaim(int position) {
        return waiting[position] > 0;
    }

    /**
     * Invalidates the {@code @ReadOnly} calls, because the program has run code that may have told other processes
     * something, or waited for them.
     */
    void stale() {
        firstFresh = sent;
    }

    /** Returns the sent call for the call that the program makes, after it has ended; null if there is none. */
    @Nullable
    SentCall claim(int position, @Nullable Encoded made) {
        PrefetchSite site = place.site(position);
        long now = clock.getAsLong();
        PrefetchedCall oldest = calls.peekFirst();
        if (oldest != null && fits(oldest, position, made, now)) {
            calls.removeFirst();
            forget(oldest);
            return await(oldest, site, now);
        }
        for (PrefetchedCall call : calls) {
            if (fits(call, position, made, now)) {
                dropBefore(call);
                calls.remove(call);
                forget(call);
                return await(call, site, now);
            }
        }
        if (dropUpTo(position, begun)) {
            site.failed();
        }
        return null;
    }

    private boolean fits(PrefetchedCall call, int position, @Nullable Encoded made, long now) {
        return made != null
                && call.position() == position
                && call.sent().isSameCall(made)
                && place.site(position).isFresh(call, firstFresh, now);
    }

    void close() {
        finished = true;
        if (!closed && place.repeats()) {
            closed = true;
            place.ended(begun > 0, claimed, calls.size());
        }
        withdraw(call -> true);
        while (!calls.isEmpty()) {
            PrefetchedCall call = calls.removeFirst();
            giveUp(call);
            PrefetchSite site = place.site(call.position());
            if (place.repeats()) {
                site.givenUp();
            } else {
                site.failed(); // the program did not reach it
            }
        }
    }

    private @Nullable SentCall await(PrefetchedCall call, PrefetchSite site, long now) {
        Handle handle = call.handle();
        boolean waits = !handle.isDone();
        SentCall found = FlightRecorder.call(handle, site.site(), now);
        boolean answered = handle.hasAnswer();
        if (handle.wasOverload()) {
            window.refused(call.sentAt(), clock.getAsLong());
            place.shrunk(room());
        } else if (waits) {
            window.waited(0, 1, now);
            place.grown(room());
        }
        long ended = waits ? clock.getAsLong() : now;
        site.site().claimed(now - call.sentAt(), ended - now);
        site.timed(passNanos, ended - call.sentAt());
        if (!place.repeats()) {
            site.overlapped(now - call.sentAt(), ended - call.sentAt());
        }
        if (!answered && !handle.isRefusedForNow()) {
            found.discard();
            return null; // the call itself failed: it is made again, as written
        }
        site.claimed();
        claimed++;
        return found;
    }

    /** Discards the calls for one place that were sent before another one. */
    private void dropBefore(PrefetchedCall last) {
        withdraw(call -> call.position() == last.position() && call.number() < last.number());
        for (Iterator<PrefetchedCall> i = calls.iterator(); i.hasNext(); ) {
            PrefetchedCall call = i.next();
            if (call == last) {
                return;
            }
            if (call.position() == last.position()) {
                i.remove();
                giveUp(call);
                place.site(call.position()).failed();
            }
        }
    }

    /** Discards the calls for one place that were sent for passes up to one; says whether there were any. */
    private boolean dropUpTo(int position, long iteration) {
        if (waiting[position] == 0) {
            return false;
        }
        withdraw(call -> call.position() == position && call.iteration() <= iteration);
        boolean any = false;
        for (Iterator<PrefetchedCall> i = calls.iterator(); i.hasNext(); ) {
            PrefetchedCall call = i.next();
            if (call.position() == position && call.iteration() <= iteration) {
                i.remove();
                giveUp(call);
                any = true;
            }
        }
        return any;
    }

    /** Asks the servers not to begin calls that are discarded next, the one sent last first. */
    private void withdraw(Predicate<PrefetchedCall> those) {
        for (Iterator<PrefetchedCall> i = calls.descendingIterator(); i.hasNext(); ) {
            PrefetchedCall call = i.next();
            if (those.test(call)) {
                call.handle().withdrawn();
            }
        }
    }

    private void giveUp(PrefetchedCall call) {
        forget(call);
        call.handle().discard();
        place.site(call.position()).site().discarded();
    }

    private void forget(PrefetchedCall call) {
        call.handle().taken();
        waiting[call.position()]--;
        bytes -= call.sent().size();
    }
}
