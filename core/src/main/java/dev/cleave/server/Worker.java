package dev.cleave.server;

import static java.util.Objects.requireNonNull;

import dev.cleave.CallContext;
import dev.cleave.call.Link;
import dev.cleave.concurrent.LendingThread;
import java.util.Arrays;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A thread that runs calls. Only the thread itself writes its state. */
final class Worker extends LendingThread {

    long seen = -1; // how many wakes its workers had counted when it last looked for work
    Answer.@Nullable Small small; // where the results of its calls are written to

    private final Workers workers;
    private volatile @Nullable Invocation current; // written by the thread itself
    private CallContext.@Nullable Place place; // of the thread
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
    void begin(Invocation call) {
        current = call;
        requireNonNull(place).enter(call);
    }

    /** Records that the call has ended. */
    void end() {
        Invocation call = current;
        current = null;
        requireNonNull(place).leave();
        if (call != null && !call.hand().ends()) {
            boolean unused = Thread.interrupted();
        }
    }

    /** Interrupts the thread if it runs a call over a link; any thread. Returns whether it runs it. */
    boolean giveUp(Link link, int peer, long id) {
        Invocation call = current;
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
        Invocation call = current;
        return call == null ? Map.of() : call.attachments().texts();
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
