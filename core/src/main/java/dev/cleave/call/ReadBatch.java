package dev.cleave.call;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is to be done once for all frames of one link that came together. Event thread only, but for {@link #afterwards}. */
final class ReadBatch {

    private boolean answered; // since the last flush, while frames were handled
    private @Nullable Thread reader; // handles frames that came together; a thread knows whether it is that one
    private final List<Runnable> tasks = new ArrayList<>(0);

    /** A frame has come. */
    void begin() {
        if (reader == null) {
            reader = Thread.currentThread();
        }
    }

    /** Something was written that is to go when the last frame has been handled. */
    void answered() {
        answered = true;
    }

    /** Runs a task once when the last frame has been handled; false, on any thread, if the current one handles none. */
    boolean afterwards(Runnable task) {
        if (reader != Thread.currentThread()) {
            return false;
        }
        if (!tasks.contains(task)) {
            tasks.add(task);
        }
        return true;
    }

    /** The last frame has been handled; says whether something was written that is to go now. */
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
