package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallContext;
import dev.cleave.Ref;
import dev.cleave.call.Link;
import dev.cleave.call.RemoteMethod;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import dev.cleave.ref.References;
import dev.cleave.wire.Attachments;
import java.lang.reflect.Method;
import java.security.Principal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The context of one call, which the program may keep. Thread-safe. */
final class ServedContext implements CallContext {

    private static final System.Logger LOG = SafeLog.of(ServedContext.class);

    private final String service;
    private final RemoteMethod method;
    private final Named caller;
    private final Attachments attachments;
    private final References references;
    private final Timer timer;
    private final long until; // on the clock of the node; Long.MAX_VALUE if its time has not begun
    private final List<Runnable> tasks = new ArrayList<>(); // guarded by itself
    private volatile boolean isGivenUp; // written under the lock of the tasks
    private boolean hasAnswered; // guarded by tasks

    /**
     * Creates the context of a call.
     *
     * @param link over which it has come
     * @param peer the relayed client, or 0
     * @param remainingNanos the time that it may still take; {@link Long#MAX_VALUE} if that has not begun
     */
    ServedContext(
            String service,
            RemoteMethod method,
            Link link,
            int peer,
            Attachments attachments,
            References references,
            long remainingNanos) {
        this.service = service;
        this.method = method;
        caller = caller(link, peer);
        this.attachments = attachments;
        this.references = references;
        timer = link.context().timer();
        until = remainingNanos == Long.MAX_VALUE ? Long.MAX_VALUE : timer.nanos() + remainingNanos;
    }

    /**
     * The caller of calls that come over a link: the one place that decides about the identity of a caller.
     *
     * @param peer the relayed client, or 0
     */
    private static Named caller(Link link, int peer) {
        String identity = link.tables(peer).identity();
        String node = link.peer().node();
        return identity != null ? new Named(identity, true) : new Named(peer == 0 ? node : node + "/" + peer, false);
    }

    /** A name that a peer has proved, or has given itself. */
    private record Named(String name, boolean isProved) implements Principal {

        @Override
        public String getName() {
            return name;
        }
    }

    @Override
    public String service() {
        return service;
    }

    @Override
    public <T> Ref<T> put(T value) {
        if (value == null) {
            throw new IllegalArgumentException("value: null (expected: a value to keep)");
        }
        return references.stores().put(value);
    }

    @Override
    public Method method() {
        return method.method();
    }

    @Override
    public Principal caller() {
        return caller;
    }

    @Override
    public boolean isCallerProved() {
        return caller.isProved();
    }

    @Override
    public Duration remaining() {
        if (until == Long.MAX_VALUE) {
            return method.conduct().deadline();
        }
        return Duration.ofNanos(Math.max(0, until - timer.nanos()));
    }

    @Override
    public boolean isCancelled() {
        return isGivenUp || until != Long.MAX_VALUE && until - timer.nanos() <= 0;
    }

    @Override
    public void onCancel(Runnable task) {
        requireNonNull(task, "task");
        synchronized (tasks) {
            if (!isGivenUp) {
                if (!hasAnswered) {
                    tasks.add(task);
                }
                return;
            }
        }
        start(List.of(task));
    }

    @Override
    public Map<String, String> attachments() {
        return attachments.texts();
    }

    /** The caller has given the call up. */
    void givenUp() {
        List<Runnable> due;
        synchronized (tasks) {
            if (hasAnswered) {
                return;
            }
            isGivenUp = true;
            due = List.copyOf(tasks);
            tasks.clear();
        }
        if (!due.isEmpty()) {
            start(due);
        }
    }

    /** The method has answered: nothing is told any more. */
    void answered() {
        synchronized (tasks) {
            hasAnswered = true;
            tasks.clear();
        }
    }

    /** Runs tasks of the program on a thread of their own: the event thread, which has read the word, may not block. */
    private void start(List<Runnable> due) {
        Thread thread = new Thread(() -> due.forEach(ServedContext::run), "cleave-cancelled-" + method.label());
        thread.setDaemon(true);
        thread.start();
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable e) { // user code
            LOG.log(System.Logger.Level.WARNING, "a task of CallContext.onCancel threw", e);
        }
    }
}
