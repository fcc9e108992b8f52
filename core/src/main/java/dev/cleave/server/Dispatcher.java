package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.call.Link;
import dev.cleave.concurrent.Timer;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Load;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A bounded queue of calls and the threads that run them. A call that finds the queue full is refused at once, unexecuted; one
 * whose deadline passes in the queue is dropped with a word to its caller.
 */
final class Dispatcher implements AutoCloseable {

    /** How many calls of a lane run one behind the other while other calls wait. */
    private static final int TURNS = 16;

    private static final System.Logger LOG = System.getLogger(Dispatcher.class.getName());

    private final BlockingQueue<Invocation> queue;
    private final int bound;
    private final List<Thread> workers = new ArrayList<>();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger behind = new AtomicInteger(); // calls that wait in lanes
    private final Timer timer;
    private volatile boolean closed;

    private Dispatcher(int bound, Timer timer) {
        this.bound = bound;
        this.timer = requireNonNull(timer, "timer");
        queue = new ArrayBlockingQueue<>(bound);
    }

    /** Starts {@code threads} workers before a queue of {@code bound} calls. */
    static Dispatcher start(String name, int threads, int bound, Timer timer) {
        if (threads < 1 || bound < 1) {
            throw new IllegalArgumentException(
                    "workers, queue: " + threads + ", " + bound + " (expected: at least 1 each)");
        }
        Dispatcher dispatcher = new Dispatcher(bound, timer);
        for (int i = 0; i < threads; i++) {
            Thread worker = new Thread(dispatcher::work, "cleave-worker-" + name + "-" + (i + 1));
            worker.setDaemon(true);
            dispatcher.workers.add(worker);
        }
        dispatcher.workers.forEach(Thread::start);
        return dispatcher;
    }

    /** Takes a call, or refuses it. */
    void dispatch(Invocation call) {
        if (closed || queue.size() + behind.get() >= bound || !queue.offer(call)) {
            if (call.claim()) {
                call.refuse(
                        ErrorCode.OVERLOAD,
                        closed ? "the server is closing" : "the queue of the server is full (" + bound + " calls)");
                call.link().flush();
            }
        }
    }

    /** Makes room for a call that waits in a lane, if there is any. */
    boolean reserve() {
        if (queue.size() + behind.incrementAndGet() > bound) {
            behind.decrementAndGet();
            return false;
        }
        return true;
    }

    /** A call does not wait in a lane any more. */
    void release() {
        behind.decrementAndGet();
    }

    /** Takes calls out of the queue, and does with each what {@code action} says. */
    void take(Predicate<Invocation> which, java.util.function.Consumer<Invocation> action) {
        for (Invocation call : queue) {
            if (which.test(call) && call.claim()) {
                queue.remove(call);
                action.accept(call);
            }
        }
    }

    /** How busy it is. */
    Load load() {
        Invocation oldest = queue.peek();
        long age = oldest == null ? 0 : Math.max(0, (timer.nanos() - oldest.arrived()) / 1_000_000);
        return new Load(
                queue.size() + behind.get(), (int) Math.min(age, Integer.MAX_VALUE), running.get(), workers.size());
    }

    /** Stops the workers; a method that runs comes to its end, calls that wait are dropped. */
    @Override
    public void close() {
        closed = true;
        take(call -> true, Invocation::drop);
        workers.forEach(Thread::interrupt);
    }

    private void work() {
        while (!closed) {
            try {
                run(queue.take());
            } catch (InterruptedException e) {
                // Either we are closing, or a served method left its interrupt behind.
                LOG.log(System.Logger.Level.DEBUG, "worker interrupted", e);
            }
        }
    }

    /** Runs a call, and then those behind it in its lane, but not so many that others wait long. */
    private void run(Invocation first) {
        Invocation call = first;
        for (int turns = 1; call != null; turns++) {
            Invocation next = runOne(call);
            if (next != null && closed) {
                if (next.claim()) {
                    next.drop();
                }
                return;
            }
            if (next != null && turns >= TURNS && queue.peek() != null && queue.offer(next)) {
                return;
            }
            call = next;
        }
    }

    /** Runs a call; returns the one behind it in its lane, if it is to be run now. */
    private @Nullable Invocation runOne(Invocation call) {
        if (!call.claim()) {
            return null;
        }
        running.incrementAndGet();
        try {
            call.run();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.ERROR, "call " + call.id() + " got no answer", e);
        } finally {
            running.decrementAndGet();
        }
        Link link = call.link();
        Invocation following = call.following();
        Invocation next = following != null ? following : queue.peek();
        if (next == null || !next.belongsTo(link)) {
            link.flush();
        } else {
            link.flushSoon();
        }
        return following;
    }
}
