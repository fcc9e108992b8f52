package dev.cleave.server;

import dev.cleave.concurrent.LendingThread;
import org.jspecify.annotations.Nullable;

/** A thread that runs calls. Only the thread itself uses its state. */
final class Worker extends LendingThread {

    long seen = -1; // how many wakes its workers had counted when it last looked for work
    Answer.@Nullable Small small; // where the results of its calls are written to

    private final Workers workers;
    private @Nullable Invocation current;
    private int waits; // nested: a task that runs while the thread waits may wait itself
    private boolean lent;

    Worker(Workers workers, String name) {
        super(name);
        this.workers = workers;
    }

    @Override
    public void run() {
        workers.live(this);
    }

    /** Records that it runs a call from now on. */
    void begin(Invocation call) {
        current = call;
    }

    /** Records that the call has ended. */
    void end() {
        current = null;
    }

    @Override
    public void lend(long waitsFor) {
        Invocation call = current;
        if (call == null || waits++ > 0) {
            return;
        }
        lent = workers.lend();
        SerialGate gate = call.turn().gate();
        if (gate != null) {
            gate.waits(call, waitsFor, this);
        }
    }

    @Override
    public void reclaim() {
        Invocation call = current;
        if (call == null || --waits > 0) {
            return;
        }
        if (lent) {
            lent = false;
            workers.reclaim();
        }
        SerialGate gate = call.turn().gate();
        if (gate != null) {
            gate.goesOn(call);
        }
    }

    @Override
    public long[] path(long number) {
        Invocation call = current;
        return call == null ? NO_PATH : call.path(number);
    }
}
