package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.Timer;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls on the event thread, and says in the log which take too long: those that have ended when they end, and those that
 * have not when the watch comes by, with the stack of the thread. A method is reported at its first, second, fourth, eighth
 * ... time.
 */
final class InlineCalls implements AutoCloseable {

    /** How long a method may take. */
    static final Duration LIMIT = Duration.ofMillis(10);

    /** How often the watch comes by. */
    static final Duration WATCH = Duration.ofSeconds(1);

    private static final System.Logger LOG = System.getLogger(InlineCalls.class.getName());
    private static final int FRAMES = 8;

    private final Timer timer;
    private final ThreadLocal<Watched> watched = ThreadLocal.withInitial(this::watch);
    private final Set<Watched> all = ConcurrentHashMap.newKeySet(); // event threads: as many as there are loops
    private final ConcurrentHashMap<String, AtomicLong> slow = new ConcurrentHashMap<>(); // by method
    private final AtomicBoolean watching = new AtomicBoolean();
    private volatile boolean closed;

    /** What one event thread does. */
    private static final class Watched {

        private final Thread thread = Thread.currentThread();
        private volatile @Nullable Invocation call; // written by the thread
        private @Nullable Invocation reported; // timer only
    }

    InlineCalls(Timer timer) {
        this.timer = requireNonNull(timer, "timer");
    }

    /** Runs a call here and now if it may; the answer goes when what came with it has been handled. */
    boolean run(Invocation call) {
        if (!call.isInline() || !call.link().connection().mayRunProgram() || !call.claim()) {
            return false;
        }
        Watched here = watched.get();
        here.call = call;
        try {
            call.run();
        } finally {
            here.call = null;
        }
        call.link().flushAfterRead();
        long nanos = timer.nanos() - call.arrived();
        if (nanos > LIMIT.toNanos()) {
            report(call, nanos, "");
        }
        return true;
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
        for (Watched each : all) {
            Invocation call = each.call;
            long nanos = call == null ? 0 : timer.nanos() - call.arrived();
            if (call != null && call != each.reported && nanos > LIMIT.toNanos()) {
                each.reported = call;
                report(call, nanos, " and has not returned:" + stack(each.thread));
            }
        }
        all.removeIf(each -> !each.thread.isAlive());
        timer.schedule(WATCH, this::comeBy);
    }

    private void report(Invocation call, long nanos, String more) {
        long times = slow.computeIfAbsent(call.label(), l -> new AtomicLong()).incrementAndGet();
        if (Long.bitCount(times) == 1) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "{0} with @Inline has kept the event thread for {1} ms (expected: less than {2} ms; without @Inline it"
                            + " runs on a worker){3}",
                    call.label(),
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
