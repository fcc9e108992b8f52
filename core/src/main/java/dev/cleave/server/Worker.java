package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallContext;
import dev.cleave.call.Link;
import dev.cleave.concurrent.LendingThread;
import dev.cleave.concurrent.Timer;
import dev.cleave.transport.Leading;
import dev.cleave.transport.WaitCondition;
import dev.cleave.wire.Attachments;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A thread that runs calls, and that may {@linkplain Leading lead} between them. Only the thread itself writes its
 * state.
 */
final class Worker extends LendingThread implements WaitCondition {

    /** A call that a worker runs, as the worker sees it. */
    interface Task extends CallContext.Source {

        /** Whether it is the call of a peer over a link that has a number. */
        boolean isNamed(Link link, int peer, long id);

        /** Decides which thread runs the call, and whether that thread may be interrupted. */
        Claim hand();

        /** The caller gives it up. Any thread. */
        void givenUp();

        /** The attachments that the caller has sent. */
        Attachments attachments();

        /** When its time is over, on the clock of the JVM. */
        long until();

        /** The numbers of the calls that wait for it, and of one that it makes. */
        long[] path(long number);

        /** Its thread waits for a call that it has made. */
        void waits(long waitsFor, Thread by);

        /** Its thread waits no longer. */
        void goesOn();
    }

    private static final WaitCondition NOW = () -> true;
    private static final VarHandle CURRENT;

    static {
        try {
            CURRENT = MethodHandles.lookup().findVarHandle(Worker.class, "current", Task.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    long seen = -1; // how many wakes its workers had counted when it last looked for work

    @Nullable
    SmallReply small; // where the results of its calls are written to

    private final Workers workers;
    private volatile @Nullable Task current; // written by the thread itself
    private CallContext.@Nullable Place place; // of the thread
    private volatile @Nullable Leading next; // what it is to lead when it has no more calls; null if it is not to lead
    private @Nullable Leading led; // what it leads
    private long awaySince; // when its first call began since it last delivered frames; 0 if there is none
    private boolean delivers; // frames now
    private @Nullable Link unflushed; // over which it has written a reply that waits for the next one
    private long now; // when its last call ended, if it has done nothing else since; else 0
    private int waits; // nested: a task that runs while the thread waits may wait itself
    private boolean lent;

    Worker(Workers workers, String name) {
        super(name);
        this.workers = workers;
    }

    @Override
    public void run() {
        place = CallContext.Place.here();
        workers.live(this);
    }

    /** Records that it runs a call from now on. */
    void begin(Task call) {
        CURRENT.setRelease(this, call);
        requireNonNull(place).enter(call);
    }

    /** Records that the call has ended. */
    void end() {
        Task call = current;
        CURRENT.setRelease(this, null);
        requireNonNull(place).leave();
        if (call != null && !call.hand().ends()) {
            boolean unused = Thread.interrupted();
        }
    }

    /**
     * Records that a call has ended, which it ran from {@code begun} on; if it leads, and has delivered no frames for
     * long, delivers those that have come.
     *
     * @param leading what it is to lead when it has no more calls; null if it is not to lead
     */
    void ran(@Nullable Leading leading, long begun, long ended) {
        next = leading;
        if (led == null) {
            return;
        }
        if (led != leading) {
            handBack();
        } else if (awaySince == 0) {
            awaySince = begun;
        }
        if (led != null && ended - awaySince > Leading.LOOK_NANOS) {
            deliver(NOW);
        }
    }

    /** Whether it is to lead now that it has no calls. */
    boolean isToLead() {
        return next != null;
    }

    /** Delivers frames until there is work. */
    void lead() {
        led = next;
        deliver(this);
    }

    private void deliver(WaitCondition until) {
        Leading what = requireNonNull(led);
        awaySince = 0;
        now = 0;
        delivers = true;
        try {
            led = what.lead(until) ? what : null;
        } finally {
            delivers = false;
        }
    }

    /** Whether it delivers frames and may not wait. On the thread itself. */
    boolean delivers() {
        return delivers;
    }

    /** Whether it delivers frames, and runs calls of some workers after that. On the thread itself. */
    boolean delivers(Workers of) {
        return delivers && workers == of;
    }

    /**
     * Records the link over which it has written a reply that is to go with the next one; null if there is none.
     *
     * @param at the time of now, if it takes the next call at once; else 0
     */
    void unflushed(@Nullable Link link, long at) {
        unflushed = link;
        now = at;
    }

    /** Returns the time at which it begins a call: if it has just ended another one, the time of that end. */
    long now(Timer timer) {
        long known = now;
        return known == 0 ? timer.nanos() : known;
    }

    /** Records that time passes before its next call. */
    void looksAtClock() {
        now = 0;
    }

    /** Prepares for a call that may take long: sends replies that wait, and leads no longer. On the thread itself. */
    void mayTakeLong() {
        now = 0;
        Link waiting = unflushed;
        if (waiting != null) {
            unflushed = null;
            waiting.flush();
        }
        handBack();
    }

    /** Leads no longer: it waits, or what it runs may take long. On the thread itself. */
    void handBack() {
        Leading what = led;
        led = null;
        if (what != null) {
            what.handBack();
        }
    }

    /** Lets it look for work, if it leads; any thread. */
    void recall() {
        Leading what = next;
        if (what != null) {
            what.recall();
        }
        LockSupport.unpark(this);
    }

    /** Whether there may be work for it. */
    @Override
    public boolean isDone() {
        return workers.mayHaveWork(this);
    }

    /** Interrupts the thread if it runs a call over a link; any thread. Returns whether it runs it. */
    boolean giveUp(Link link, int peer, long id) {
        Task call = current;
        if (call == null || !call.isNamed(link, peer, id)) {
            return false;
        }
        call.givenUp();
        boolean unused = call.hand().interrupt(this);
        return true;
    }

    /** Whether its call is ending the JVM; any thread. */
    boolean isExiting() {
        return current != null
                && Arrays.stream(getStackTrace())
                        .anyMatch(at -> at.getClassName().equals("java.lang.Shutdown"));
    }

    @Override
    public Map<String, String> attachments() {
        Task call = current;
        return call == null ? Map.of() : call.attachments().texts();
    }

    @Override
    public long until() {
        Task call = current;
        return call == null ? Long.MAX_VALUE : call.until();
    }

    @Override
    public void lend(long waitsFor) {
        Task call = current;
        if (call == null || waits++ > 0) {
            return;
        }
        handBack();
        lent = workers.lend();
        call.waits(waitsFor, this);
    }

    @Override
    public void reclaim() {
        Task call = current;
        if (call == null || --waits > 0) {
            return;
        }
        if (lent) {
            lent = false;
            workers.reclaim();
        }
        call.goesOn();
    }

    @Override
    public long[] path(long number) {
        Task call = current;
        return call == null ? NO_PATH : call.path(number);
    }
}
