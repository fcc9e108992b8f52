package dev.cleave.agent.conformance;

import dev.cleave.agent.completeness.RoundTrips;
import dev.cleave.call.Handle;

/** A server in virtual time: every call takes one round trip, any number of them at once, and nothing else takes time. */
final class TimedService extends ScriptedService {

    private final boolean takesTime;
    private int clock;

    private TimedService(Schedule schedule, boolean takesTime) {
        super(schedule);
        this.takesTime = takesTime;
    }

    /** How many round trips a program takes. */
    static int run(Class<?> program, int n) {
        return run(program, n, Schedule.ok(1));
    }

    /** How many round trips a program takes whose calls fail as scheduled. */
    static int run(Class<?> program, int n, Schedule schedule) {
        return run(program, n, new TimedService(schedule, false));
    }

    /** How many round trips a program takes if each also takes real time, as windows see it. */
    static int runInTime(Class<?> program, int n) {
        return run(program, n, new TimedService(Schedule.ok(1), true));
    }

    private static int run(Class<?> program, int n, TimedService service) {
        ClassLoader context = Thread.currentThread().getContextClassLoader();
        try {
            program.getMethod("run", Svc.class, Svc.class, int.class)
                    .invoke(null, new ScriptedStub(service), new ScriptedStub(service), n);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        } finally {
            Thread.currentThread().setContextClassLoader(context); // a program may have changed it
        }
        return service.clock;
    }

    @Override
    void begin(String method, Object of) {
        super.begin(method, of);
        clock++;
    }

    @Override
    Handle handle(String method, Object... arguments) {
        return new TimedHandle(method, arguments);
    }

    private final class TimedHandle extends Handle {

        private final int doneAt = clock + 1;
        private final Object outcome;

        TimedHandle(String method, Object... arguments) {
            outcome = execute(method, arguments);
        }

        @Override
        public void origin() {}

        @Override
        public boolean isDone() {
            return clock >= doneAt;
        }

        @Override
        public boolean hasAnswer() {
            return isDone();
        }

        @Override
        public Object await() {
            if (takesTime) {
                RoundTrips.pass(doneAt - clock);
            }
            clock = Math.max(clock, doneAt);
            return ScriptedHandle.orThrow(outcome);
        }

        @Override
        public void awaitVoid() {
            await();
        }

        @Override
        public int awaitInt() {
            return await() instanceof Boolean flag ? (flag ? 1 : 0) : (int) outcome;
        }

        @Override
        public long awaitLong() {
            return (long) await();
        }

        @Override
        public float awaitFloat() {
            return (float) await();
        }

        @Override
        public double awaitDouble() {
            return (double) await();
        }

        @Override
        public void discard() {
            clock = Math.max(clock, doneAt);
        }
    }
}
