package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.concurrent.Timer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Holds the tasks that run once for all frames of one read of a link. Event thread only, except {@link #afterwards}.
 */
final class ReadBatch {

    private final Timer timer;
    private long at; // when the frame came that is handled now, or a little earlier; event thread only
    private boolean answered; // frames were written since the last flush, while frames were handled
    private @Nullable Thread reader; // handles the frames of a read; compared with the current thread
    private final List<Runnable> tasks = new ArrayList<>(0);

    ReadBatch(Timer timer) {
        this.timer = requireNonNull(timer, "timer");
    }

    /** Records that a frame has come. */
    void begin() {
        if (reader == null) {
            at = timer.nanos();
            reader = Thread.currentThread();
        }
    }

    /**
     * Returns the time of the read that brought the frame which the current thread handles: the clock is read once for all of
     * its frames. Returns the time of now if the current thread handles none.
     */
    long nanos() {
        return reader == Thread.currentThread() ? at : timer.nanos();
    }

    /** Records the time at which the current thread, which handles a frame, has run a call of the program. */
    void ranUntil(long nanos) {
        at = nanos;
    }

    /** Records that a frame was written which is to be sent when the last frame has been handled. */
    void answered() {
        answered = true;
    }

    /**
     * Runs a task once when the last frame has been handled; returns false if the current thread handles no frames. On
     * any thread.
     */
    boolean afterwards(Runnable task) {
        if (reader != Thread.currentThread()) {
            return false;
        }
        if (!tasks.contains(task)) {
            tasks.add(task);
        }
        return true;
    }

    /** Runs the tasks after the last frame; returns whether frames were written that are to be sent now. */
    boolean end() {
        reader = null;
        for (int i = 0; i < tasks.size(); i++) {
            tasks.get(i).run();
        }
        tasks.clear();
        boolean any = answered;
        answered = false;
        return any;
    }
}
