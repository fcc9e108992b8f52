package dev.cleave.rt;

import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Runs ahead of a stream whose functions make calls that change nothing (R64): on a guess, as a prefetching loop does.
 * When asked, such a function sends into the queue; when the stream runs it, it claims from the queue.
 */
final class PrefetchStreamRun implements StreamRun {

    private final StreamSite site;
    private final int[] positions;
    private final @Nullable PrefetchQueue queue;
    private final Object[] functions;
    private @Nullable Iterator<?> elements;

    /**
     * Begins a run.
     *
     * @param positions for each function that calls the position of its first call in the queue
     * @param queue null if prefetching does not pay here
     * @param elements a second iterator over the source, null to not run ahead
     */
    PrefetchStreamRun(
            StreamSite site,
            int[] positions,
            @Nullable PrefetchQueue queue,
            Object[] functions,
            @Nullable Iterator<?> elements) {
        this.site = site;
        this.positions = positions.clone();
        this.queue = queue;
        this.functions = functions;
        this.elements = elements;
    }

    @Override
    public void passOver(long passed) {
        Iterator<?> rest = elements;
        try {
            for (long left = passed; rest != null && left > 0; left--) {
                rest.next();
            }
        } catch (RuntimeException e) { // the program meets the exception at its own place
            elements = null;
        }
    }

    @Override
    public void step() {
        if (queue == null) {
            return;
        }
        queue.begin();
        while (elements != null && queue.hasRoom()) {
            if (!passes(queue, elements)) {
                elements = null;
                queue.finish();
            }
        }
    }

    /** Runs one element ahead; false if that was the last one. */
    private boolean passes(PrefetchQueue open, Iterator<?> rest) {
        Passage passage = Passage.current();
        try {
            if (!rest.hasNext()) {
                return false;
            }
            Object element = rest.next();
            int next = 0;
            for (int call = 0; call < site.calls() && !StreamSite.isFiltered(element); call++) {
                int stage = site.stageOf(call);
                element = site.through(next, stage, functions, element);
                next = stage + 1;
                if (StreamSite.isFiltered(element)) {
                    continue;
                }
                passage.askAhead(site.helper(stage), open, positions[call]);
                site.apply(stage, functions[stage], element);
                if (!passage.askedAhead(open)) {
                    return false;
                }
            }
            open.ahead();
            return true;
        } catch (Throwable t) { // the program meets it at its own place
            passage.key = null;
            return false;
        }
    }

    @Override
    public void hand(int call) {
        Passage.current().handAhead(site.helper(site.stageOf(call)), queue, positions[call]);
    }

    @Override
    public void stale() {
        if (queue != null) {
            queue.stale();
        }
    }

    @Override
    public void close() {
        elements = null;
        if (queue != null) {
            queue.close();
        }
    }
}
