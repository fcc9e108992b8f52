package dev.cleave.agent.conformance;

import dev.cleave.transport.WaitCondition;

/** A call in flight: executed when sent, when awaited, or when discarded, as the dice fall. */
final class ScriptedHandle extends ScriptedAwaits {

    private final ScriptedService service;
    private final String method;
    private final Object[] arguments;
    private final String user;
    private Object outcome;
    private boolean executed;
    private boolean ended;
    private boolean isLost;

    ScriptedHandle(ScriptedService service, String method, Object[] arguments) {
        this(service, method, arguments, ProbeUser.USER.get());
    }

    /** A call of a thread that had this in {@link ProbeUser#USER}. */
    ScriptedHandle(ScriptedService service, String method, Object[] arguments, String user) {
        this.user = user;
        this.service = service;
        this.method = method;
        this.arguments = arguments;
        service.sent(method, arguments);
        service.begin(method);
        if (service.random.nextBoolean()) {
            run();
        }
    }

    private void run() {
        if (!executed) {
            executed = true;
            service.user = user;
            outcome = service.execute(method, arguments);
        }
    }

    @Override
    Object finish() {
        if (isLost) {
            throw new AssertionError("awaited although its link failed: " + method);
        }
        run();
        end();
        return orThrow(outcome);
    }

    private void end() {
        if (!ended) {
            ended = true;
            service.end(method);
        }
    }

    static Object orThrow(Object outcome) {
        if (outcome instanceof Svc.Failure || outcome instanceof ScriptedService.Broken) {
            Throwable thrown = (Throwable) outcome;
            thrown.fillInStackTrace();
            throw ScriptedHandle.<RuntimeException>sneaky(thrown);
        }
        return outcome == ScriptedService.MISSING ? null : outcome;
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> T sneaky(Throwable thrown) throws T {
        throw (T) thrown;
    }

    @Override
    public boolean isDone() {
        return executed && service.random.nextInt(4) == 0;
    }

    @Override
    public void linger(WaitCondition other, long atNanos) {
        if (service.random.nextBoolean()) {
            run();
        }
    }

    @Override
    public boolean hasAnswer() {
        if (service.random.nextInt(12) == 0) {
            end(); // the link failed
            isLost = true;
            return false;
        }
        run();
        return true;
    }

    @Override
    public void discard() {
        if (!ended) {
            service.discarded(method);
            if (service.random.nextBoolean()) {
                run();
            }
            end();
        }
    }
}
