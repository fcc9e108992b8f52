package dev.cleave.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.wire.Awaited;
import java.util.ArrayList;
import java.util.List;

/** The calls of one link that somebody is blocked on, and of which the server has not been told yet. Thread-safe. */
final class AwaitedCalls {

    @GuardedBy("this")
    private List<Long> calls = List.of(); // then one that takes more

    private volatile boolean some; // written under this

    /** Adds a call; one that finds too many is not told of. */
    synchronized void add(long call) {
        if (!some) {
            calls = new ArrayList<>();
        }
        if (calls.size() < Awaited.MOST) {
            calls.add(call);
            some = true;
        }
    }

    boolean isEmpty() {
        return !some;
    }

    /** Takes all of them. */
    synchronized List<Long> take() {
        List<Long> taken = calls;
        calls = List.of();
        some = false;
        return taken;
    }
}
