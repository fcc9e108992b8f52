package dev.cleave.call;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.wire.Awaited;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds the calls of one link that a thread is blocked on and that the server has not been told of yet. Thread-safe.
 */
final class AwaitedCalls {

    @GuardedBy("this")
    private List<Long> calls = List.of(); // replaced by a growing list with the first call

    private volatile boolean some; // written under the monitor of this

    /** Adds a call; drops it if {@link Awaited#MOST} are there, and the server is then not told of it. */
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

    /** Removes and returns all calls. */
    synchronized List<Long> take() {
        List<Long> taken = calls;
        calls = List.of();
        some = false;
        return taken;
    }
}
