package dev.cleave.agent.conformance;

import dev.cleave.call.Handle;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A server in virtual time with one worker for each method: a call that is sent waits in the queue of its method, a worker
 * takes the next one as soon as it has ended one, and a call that is withdrawn before it began is not executed. Nothing but
 * calls takes time.
 */
final class OneWorkerService extends ScriptedService {

    /** The calls that were executed, in the order in which they began. */
    final List<String> executed = new ArrayList<>();

    /** What the program gave. */
    String result = "";

    private final Map<String, Worker> workers = new HashMap<>();
    private final Map<String, Integer> times;
    private int clock;
    private int open;
    int sentAhead;

    /**
     * Makes one.
     *
     * @param times how long a call, or all calls of a method, take; those that are not named take 1
     */
    private OneWorkerService(Schedule schedule, Map<String, Integer> times) {
        super(schedule);
        this.times = times;
    }

    /** Runs a program. */
    static OneWorkerService run(Class<?> program, int n, Schedule schedule, Map<String, Integer> times) {
        OneWorkerService service = new OneWorkerService(schedule, times);
        try {
            service.result = "value "
                    + program.getMethod("run", Svc.class, Svc.class, int.class)
                            .invoke(null, new ScriptedStub(service), new ScriptedStub(service), n);
        } catch (InvocationTargetException e) {
            service.result = "threw " + e.getCause();
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
        return service;
    }

    /** How many calls were sent, and neither awaited nor given up. */
    int open() {
        return open;
    }

    /** How many calls of a method were executed. */
    int executedOf(String method) {
        return (int)
                executed.stream().filter(call -> call.startsWith(method + "[")).count();
    }

    @Override
    Handle handle(String method, Object... arguments) {
        return new QueuedCall(method, arguments);
    }

    @Override
    Object execute(String method, Object... arguments) {
        QueuedCall call = new QueuedCall(method, arguments);
        call.waitForEnd();
        call.leave();
        return call.outcome;
    }

    private Object begun(String method, Object[] arguments) {
        Object outcome = super.execute(method, arguments);
        executed.add(log.get(log.size() - 1));
        return outcome;
    }

    private void tick() {
        clock++;
        workers.values().forEach(Worker::goOn);
    }

    private final class Worker {

        private final Deque<QueuedCall> queue = new ArrayDeque<>();
        private QueuedCall running;

        void goOn() {
            if (running != null && clock >= running.endsAt) {
                running.done = true;
                running = null;
            }
            if (running == null && !queue.isEmpty()) {
                running = queue.remove();
                running.outcome = begun(running.method, running.arguments);
                int usual = times.getOrDefault(running.method, 1);
                running.endsAt = clock + times.getOrDefault(executed.get(executed.size() - 1), usual);
            }
        }
    }

    private final class QueuedCall extends ScriptedAwaits {

        private final String method;
        private final Object[] arguments;
        private final Worker worker;
        private Object outcome;
        private int endsAt;
        private boolean done;
        private boolean left;

        QueuedCall(String method, Object[] arguments) {
            this.method = method;
            this.arguments = arguments;
            worker = workers.computeIfAbsent(method, name -> new Worker());
            worker.queue.add(this);
            open++;
            sentAhead++;
            worker.goOn();
        }

        void waitForEnd() {
            while (!done) {
                tick();
            }
        }

        void leave() {
            if (!left) {
                left = true;
                open--;
            }
        }

        @Override
        Object finish() {
            waitForEnd();
            leave();
            return ScriptedHandle.orThrow(outcome);
        }

        @Override
        public boolean isDone() {
            return done;
        }

        @Override
        public boolean hasAnswer() {
            waitForEnd();
            return true;
        }

        @Override
        public void withdrawn() {
            if (worker.queue.remove(this)) {
                done = true;
            }
        }

        @Override
        public void discard() {
            withdrawn();
            waitForEnd();
            leave();
        }
    }
}
