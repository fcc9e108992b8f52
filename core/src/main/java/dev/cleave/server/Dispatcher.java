package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Link;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import dev.cleave.metrics.Refusals;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Load;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of calls and the threads that run them. A call that finds the queue full is refused at once,
 * unexecuted; one whose deadline passes in the queue is dropped, and its caller told.
 *
 * <h2>Calls sent ahead</h2>
 *
 * A call that was sent before its caller had come to its place takes no room from other calls: in a full queue the
 * latest such call is refused, unexecuted, for a call at its place. So a caller that has come to its place is refused
 * only where it would be refused if no call were sent ahead. Of a chain or group only calls that wait behind others
 * are refused so; calls of serial objects are not.
 *
 * <p>The order is that of {@link dev.cleave.concurrent.AgeingQueue}; priorities are computed by the workers, for all
 * calls that have come before a worker takes its next one.
 *
 * <p>While calls are {@linkplain Pace short}, new calls are left to running workers, or one worker is woken for all
 * calls of a read: to wake a thread costs more than a call. If a worker then meets a long call, others are woken
 * within two milliseconds.
 */
final class Dispatcher implements AutoCloseable {

    /** The most calls of a lane that run one behind the other while other calls wait. */
    private static final int TURNS = 16;

    private static final System.Logger LOG = SafeLog.of(Dispatcher.class);

    /** The interval at which calls are checked that were left to a worker which runs another one. */
    private static final Duration WATCH = Duration.ofMillis(1);

    private static final int MOST_IDLE_LOOKS = 8;

    /** After this many short calls a worker is woken before all calls of the read have been handled. */
    private static final int MOST_UNTOLD = 16;

    /** How many calls are looked at, and how often, for one that can go: others take them at the same time. */
    private static final int MOST_LOOKS = 8;

    private final WaitingCalls waiting;
    private final Pace pace = new Pace();
    private final Runnable wakeOne = this::callOne;
    private final AtomicBoolean watching = new AtomicBoolean();
    private int idleLooks; // only for the thread that has set watching, as is the next
    private long takenBefore;
    private final Workers workers;
    private final Timer timer;
    private final AtomicInteger executing = new AtomicInteger();
    private final AtomicInteger busy = new AtomicInteger(); // workers with a call that has not been answered
    private final Map<Invocation.Key, Invocation> futures = new ConcurrentHashMap<>(); // that have not completed
    private final List<Runnable> loadListeners = new CopyOnWriteArrayList<>();

    private Dispatcher(String name, int slots, int bound, Timer timer) {
        this.timer = requireNonNull(timer, "timer");
        waiting = new WaitingCalls(bound, this::free);
        workers = new Workers(name, slots, this::work);
    }

    /** Starts {@code threads} workers before a queue of {@code bound} calls. */
    static Dispatcher start(String name, int threads, int bound, Timer timer) {
        if (threads < 1 || bound < 1) {
            throw new IllegalArgumentException(
                    "workers, queue: " + threads + ", " + bound + " (expected: at least 1 each)");
        }
        Dispatcher dispatcher = new Dispatcher(name, threads, bound, timer);
        dispatcher.workers.start();
        return dispatcher;
    }

    /** Takes a call, or refuses it. */
    void dispatch(Invocation call) {
        boolean arrived = call.hasArrived();
        boolean taken = arrived ? waiting.add(call) : waiting.hold(call);
        if (!taken && !workers.isClosed()) {
            taken = makesRoom(call, arrived ? waiting::add : waiting::hold);
        }
        if (taken && !arrived) {
            awaitArrival(call);
        } else if (taken) {
            wake(call.link());
            loadChanged();
        } else if (call.claim()) {
            Refusals.count("queue");
            call.refuse(ErrorCode.OVERLOAD, workers.isClosed() ? "the server is closing" : full());
            call.link().flush();
        }
    }

    /** Queues a call that has come over a link, or refuses it. */
    private void wake(Link link) {
        int calls = waiting.size();
        if (workers.leadsHere() ? !pace.isMostlyShort() : !pace.isShort()) {
            workers.wake();
            return;
        }
        watch();
        if (workers.isComingSoon()
                ? pace.needsAnother(calls)
                : calls >= MOST_UNTOLD || pace.needsAnother(calls) || !link.afterRead(wakeOne)) {
            workers.callUpTo(1);
        }
    }

    /** A call has its place, and its turn when all its arguments have come; or never, if its time is over first. */
    private void awaitArrival(Invocation call) {
        if (!call.expires()) {
            call.whenArrived(() -> admit(call));
            return;
        }
        Timer.Timeout expiry = timer.scheduleAt(call.expiresAt(), () -> {
            take(call, Invocation::expire);
            call.link().flush();
        });
        call.whenArrived(() -> {
            expiry.cancel();
            admit(call);
        });
    }

    private void callOne() {
        workers.callUpTo(1);
    }

    /** Makes room for a call that waits for its turn elsewhere, if there is any. */
    boolean hold(Invocation call) {
        if (!waiting.hold(call) && !makesRoom(call, waiting::hold)) {
            return false;
        }
        loadChanged();
        return true;
    }

    /** Queues a call for which room was made, and which has its turn. */
    void admit(Invocation call) {
        if (waiting.admit(call)) {
            workers.wake();
        }
    }

    /** Frees the place of a call that does not wait any more. */
    void release(Invocation call) {
        waiting.remove(call);
        loadChanged();
    }

    /** Runs a task whenever the load may have changed, on any thread: it may not block. */
    void onLoad(Runnable task) {
        loadListeners.add(task);
    }

    /** Stops running a task of {@link #onLoad}. */
    void offLoad(Runnable task) {
        loadListeners.remove(task);
    }

    /** How many calls have been taken out of the queue to run. */
    long taken() {
        return waiting.taken();
    }

    /** How many calls that run are ending the JVM. */
    int exiting() {
        return (int) workers.threads().stream().filter(Worker::isExiting).count();
    }

    /** How many slots have no call. */
    private int free() {
        return Math.max(0, workers.slots() + workers.lent() - busy.get());
    }

    /** How many calls wait. */
    int waiting() {
        return waiting.size();
    }

    /** How many calls run, or are about to. */
    int executing() {
        return executing.get();
    }

    /** Gives waiting, unclaimed calls away, the latest ones first; returns how many. */
    int give(int most, Predicate<Invocation> which, Consumer<Invocation> action) {
        int given = 0;
        for (Invocation call : waiting.newest(most, which)) {
            if (call.claimFree()) {
                waiting.remove(call);
                action.accept(call);
                given++;
            }
        }
        return given;
    }

    /** Takes calls out of the queue, and runs {@code action} on each. */
    void take(Predicate<Invocation> which, Consumer<Invocation> action) {
        for (Invocation call : waiting.all()) {
            if (which.test(call)) {
                take(call, action);
            }
        }
    }

    /** Takes one call out of the queue, if it waits. */
    void take(Invocation.Key key, Consumer<Invocation> action) {
        Invocation call = waiting.find(key);
        if (call != null) {
            take(call, action);
        }
    }

    private void take(Invocation call, Consumer<Invocation> action) {
        if (call.claim()) {
            waiting.remove(call);
            action.accept(call);
            loadChanged();
        }
    }

    /** Tells a call that runs, or whose method has returned a future, that its caller has given it up. */
    void giveUp(Invocation.Key key) {
        Invocation returned = futures.get(key);
        if (returned != null) {
            returned.givenUp();
        }
        for (Worker worker : workers.threads()) {
            if (worker.giveUp(key.link(), key.peer(), key.id())) {
                return;
            }
        }
    }

    /** Remembers a call whose method has returned a future, until {@link #completed}. */
    void returned(Invocation call) {
        futures.put(call.key(), call);
    }

    /** The future of a call is complete. */
    void completed(Invocation call) {
        futures.remove(call.key(), call);
    }

    /** Moves a call that a caller waits for before those that are only sent ahead. */
    void promote(Invocation.Key key) {
        waiting.promote(key);
    }

    int awaitedCalls() {
        return waiting.awaited();
    }

    /** How busy it is. */
    Load load() {
        long arrived = waiting.oldest();
        long age = arrived == 0 ? 0 : Math.max(0, (timer.nanos() - arrived) / 1_000_000);
        return new Load(waiting.size(), (int) Math.min(age, Integer.MAX_VALUE), workers.running(), workers.slots());
    }

    /** Stops the workers; a method that runs comes to its end, calls that wait are dropped. */
    @Override
    public void close() {
        waiting.close();
        take(call -> true, Invocation::drop);
        workers.close();
    }

    /** Takes a call in where what is over, or was only sent ahead, can go; says whether it is in. */
    private boolean makesRoom(Invocation call, Predicate<Invocation> taking) {
        dropExpired();
        boolean taken = taking.test(call);
        for (int i = 0; !taken && !call.turn().canGiveWay() && i < MOST_LOOKS; i++) {
            boolean refused = refuseOneAhead();
            taken = taking.test(call);
            if (!refused) {
                break;
            }
        }
        return taken;
    }

    private boolean refuseOneAhead() {
        for (Invocation ahead : waiting.newestAhead(MOST_LOOKS)) {
            if (!ahead.turn().isFree()) {
                if (ahead.turn().givesWay(full())) {
                    Refusals.count("queue.ahead");
                    ahead.link().flushSoon();
                    return true;
                }
            } else if (ahead.claimFree()) {
                waiting.remove(ahead);
                Refusals.count("queue.ahead");
                ahead.refuse(ErrorCode.OVERLOAD, full());
                ahead.link().flushSoon();
                return true;
            }
        }
        return false;
    }

    private String full() {
        return "the queue of the server is full (" + waiting.bound() + " calls)";
    }

    private void dropExpired() {
        long now = timer.nanos();
        for (Invocation call : waiting.expired(now)) {
            take(call, Invocation::expire);
            call.link().flushSoon();
        }
    }

    /** Runs the next call, if there is one: first all that have come are rated. */
    private boolean work(Worker worker) {
        Invocation unrated = waiting.hasUnrated() ? waiting.nextUnrated() : null;
        while (unrated != null) {
            worker.looksAtClock();
            rate(unrated);
            unrated = waiting.nextUnrated();
        }
        executing.incrementAndGet(); // before the call leaves the queue: it is never in neither
        try {
            Invocation next = waiting.poll(busy);
            if (next == null) {
                worker.looksAtClock();
                return false;
            }
            run(worker, next);
            return true;
        } finally {
            executing.decrementAndGet();
            loadChanged();
        }
    }

    /** Looks after those that wait for a thread which is about to end its call: it may have met a long one. */
    private void watch() {
        if (!watching.get() && watching.compareAndSet(false, true)) {
            idleLooks = 0;
            timer.schedule(WATCH, this::look);
        }
    }

    private void look() {
        if (workers.isClosed()) {
            return;
        }
        try {
            callIfNoneTaken();
        } finally { // after an Error, too, such as no memory for a thread
            lookAgain();
        }
    }

    private void callIfNoneTaken() {
        long taken = waiting.taken();
        boolean isStill = taken == takenBefore;
        takenBefore = taken;
        if (waiting.isIdle()) {
            idleLooks++;
        } else {
            idleLooks = 0;
            if (isStill) {
                pace.reset();
                workers.callUpTo(waiting.size());
            }
        }
    }

    private void lookAgain() {
        if (idleLooks <= MOST_IDLE_LOOKS) {
            timer.schedule(WATCH, this::look);
            return;
        }
        watching.set(false);
        if (!waiting.isIdle()) {
            watch();
        }
    }

    private void loadChanged() {
        if (!loadListeners.isEmpty()) { // seldom: then no iterator is made
            for (Runnable listener : loadListeners) {
                listener.run();
            }
        }
    }

    private void rate(Invocation call) {
        try {
            call.rate();
        } finally {
            waiting.rated(call);
        }
    }

    /**
     * Runs a call, and then those behind it in its lane, {@value #TURNS} at most while other calls wait.
     */
    private void run(Worker worker, Invocation first) {
        Invocation call = first;
        for (int turns = 1; call != null; turns++) {
            Invocation next = runOne(worker, call);
            if (next != null && workers.isClosed()) {
                if (next.claim()) {
                    next.drop();
                }
                return;
            }
            if (next != null && turns >= TURNS && !waiting.isIdle() && waiting.add(next)) {
                return;
            }
            if (next != null) {
                busy.incrementAndGet();
            }
            call = next;
        }
    }

    /** Runs a call; returns the one behind it in its lane, if it is to be run now. */
    private @Nullable Invocation runOne(Worker worker, Invocation call) {
        Paces paces = call.exported().order().paces();
        Pace ofMethod = paces.of(call.method());
        long begun;
        try {
            if (call.isToBeRated()) { // it stood behind another one in its lane
                worker.looksAtClock();
                call.rate();
            }
            if (!call.claim()) {
                return null;
            }
            if (!ofMethod.isMostlyShort()) {
                worker.mayTakeLong();
            }
            begun = worker.now(timer);
            execute(worker, call, begun);
        } finally {
            busy.decrementAndGet(); // before the answer is flushed: its caller's next call finds the worker free
        }
        Link link = call.link();
        long ended = timer.nanos();
        pace.ran(ended - begun);
        ofMethod.ran(ended - begun);
        paces.ran(call.arrived(), begun, ended);
        Invocation following = call.turn().following();
        boolean isNextOfLink =
                following != null ? following.belongsTo(link) : waiting.size() > 0 && waiting.isNextOf(link);
        if (isNextOfLink
                && ofMethod.isMostlyShort()) { // else it would be flushed before the next call, and a timer run for
            // nothing
            link.flushSoon();
            worker.unflushed(link, ended);
        } else {
            call.flush();
            worker.unflushed(null, 0);
        }
        worker.ran(pace.isMostlyShort() ? link.connection().leading() : null, begun, ended);
        return following;
    }

    private void execute(Worker worker, Invocation call, long now) {
        worker.begin(call);
        try {
            call.run(now);
        } catch (Throwable e) { // an Error, too, such as no memory for the answer
            LOG.log(System.Logger.Level.ERROR, "call " + call.id() + " could not be answered", e);
            call.unanswered(e);
        } finally {
            worker.end();
        }
    }
}
