package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallContext;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls on the event thread, and says in the log which take too long: those that have ended when they end, and
 * those that have not when the watch comes by, with the stack of the thread. A method is reported at its first, second,
 * fourth, eighth ... time.
 */
final class InlineCalls implements AutoCloseable {

    /** The time that a method may take. */
    static final Duration LIMIT = Duration.ofMillis(10);

    /** The interval of the watch. */
    static final Duration WATCH = Duration.ofSeconds(1);

    private static final System.Logger LOG = SafeLog.of(InlineCalls.class);
    private static final int FRAMES = 8;

    private final Timer timer;
    private final ThreadLocal<Watched> watched = ThreadLocal.withInitial(this::watch);
    private final Set<Watched> all = ConcurrentHashMap.newKeySet(); // event threads: as many as there are loops
    private final ConcurrentHashMap<String, AtomicLong> slow = new ConcurrentHashMap<>(); // by method
    private final AtomicBoolean watching = new AtomicBoolean();
    private volatile boolean closed;

    /** The state of one event thread. */
    private static final class Watched {

        private final Thread thread = Thread.currentThread();
        private volatile long began; // when the call that runs began, odd; 0 if none runs; written by the thread
        private volatile String label = ""; // of that call; written before
        private final CallContext.Place place = CallContext.Place.here();
        private long reported; // timer only
        private @Nullable Invocation spare; // that of a call that is over; the thread's own
    }

    InlineCalls(Timer timer) {
        this.timer = requireNonNull(timer, "timer");
    }

    /** Runs a call at once if it may; its answer is sent when the other frames of the read have been handled. */
    boolean run(Invocation call) {
        if (!call.isInline() || !call.link().connection().mayRunProgram() || !call.claim()) {
            return false;
        }
        Watched here = watched.get();
        here.label = call.label();
        long begun = timer.nanos(); // the read that brought the call may have brought much before it
        here.began = begun | 1;
        here.place.enter(call);
        try {
            call.runInTime();
        } finally {
            here.place.leave();
            here.began = 0;
        }
        call.link().flushAfterRead();
        long ended = timer.nanos();
        call.link().ranUntil(ended);
        long nanos = ended - begun;
        call.exported().order().paces().ran(call.arrived(), begun, ended);
        if (nanos > LIMIT.toNanos()) {
            report(call.label(), nanos, "");
        }
        if (call.isOver()) {
            here.spare = call;
        }
        return true;
    }

    /** Takes the object of a call that has run on this thread and is over; null if there is none. */
    @Nullable
    Invocation takeSpare() {
        Watched here = watched.get();
        Invocation spare = here.spare;
        here.spare = null;
        return spare;
    }

    @Override
    public void close() {
        closed = true;
    }

    private Watched watch() {
        Watched made = new Watched();
        all.add(made);
        if (watching.compareAndSet(false, true)) {
            timer.schedule(WATCH, this::comeBy);
        }
        return made;
    }

    private void comeBy() {
        if (closed) {
            return;
        }
        try {
            lookAtAll();
        } finally { // after an Error, too, such as no memory for a stack's text
            timer.schedule(WATCH, this::comeBy);
        }
    }

    private void lookAtAll() {
        for (Watched each : all) {
            long began = each.began;
            String label = each.label;
            long nanos = began == 0 ? 0 : timer.nanos() - began;
            if (began != each.reported && nanos > LIMIT.toNanos()) {
                String stack = stack(each.thread);
                if (began == each.began) {
                    each.reported = began;
                    report(label, nanos, " and has not returned:" + stack);
                }
            }
        }
        all.removeIf(each -> !each.thread.isAlive());
    }

    private void report(String label, long nanos, String more) {
        long times = slow.computeIfAbsent(label, l -> new AtomicLong()).incrementAndGet();
        if (Long.bitCount(times) == 1) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} with @Inline has kept the event thread for {1} ms (expected: less than {2} ms; without @Inline it"
                            + " runs on a worker){3}",
                    label,
                    nanos / 1_000_000,
                    LIMIT.toMillis(),
                    more);
        }
    }

    private static String stack(Thread thread) {
        StringBuilder text = new StringBuilder();
        StackTraceElement[] stack = thread.getStackTrace();
        for (int i = 0; i < Math.min(FRAMES, stack.length); i++) {
            text.append("\n\tat ").append(stack[i]);
        }
        return text.toString();
    }
}
