package dev.cleave.rt;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Runs ahead of a stream whose functions make calls that may change something (R69): exactly those that the program
 * makes, in its order.
 *
 * <p>The first function that calls is asked for some elements ahead. Each later function follows as results arrive: the
 * function before it is run with such a result, which it looks at and does not take, and its value goes on to the later
 * one.
 */
final class SplitStreamRun implements StreamRun {

    /** The number of elements that may be filtered out for each one that the program takes. */
    private static final int IDLE = 256;

    private final StreamSite site;
    private final Object[] functions;
    private final List<Stage> stages = new ArrayList<>();
    private @Nullable Iterator<?> elements;

    /**
     * An element for which a function was asked, and the call that the function has sent; null if the element was
     * filtered out.
     */
    private record Item(@Nullable Object element, @Nullable SentCall sent) {}

    /** A function that calls, and the elements that the next function has not reached. */
    private static final class Stage {

        private final int number;
        private final LoopQueue queue;
        private final Deque<Item> asked = new ArrayDeque<>();
        private boolean ended;

        Stage(int number, LoopQueue queue) {
            this.number = number;
            this.queue = queue;
        }
    }

    /**
     * Begins a run.
     *
     * @param elements a second iterator over the source, null to not run ahead
     */
    SplitStreamRun(StreamSite site, LoopSite loop, Object[] functions, @Nullable Iterator<?> elements) {
        this.site = site;
        this.functions = functions;
        this.elements = elements;
        for (int call = 0; call < site.calls(); call++) {
            LoopQueue queue = call == 0 ? loop.open() : LoopQueue.behind(stages.get(call - 1).queue, 1);
            if (call > 0) {
                queue.leaveOut();
            }
            stages.add(new Stage(site.stageOf(call), queue));
        }
    }

    @Override
    public void passOver(long passed) {
        Iterator<?> rest = elements;
        try {
            for (long left = passed; rest != null && left > 0; ) {
                Object element = site.through(0, stages.get(0).number, functions, rest.next());
                left -= StreamSite.isFiltered(element) ? 0 : 1;
            }
        } catch (Throwable t) { // the program meets the exception at its own place
            elements = null;
        }
    }

    @Override
    public void step() {
        for (Stage stage : stages) {
            stage.queue.begin();
        }
        LoopQueue first = stages.get(0).queue;
        int passed = IDLE;
        while (elements != null && passed > 0 && first.hasRoom()) {
            passed -= begin(elements) ? 0 : 1;
        }
        for (int i = 1; i < stages.size(); i++) {
            follow(stages.get(i - 1), stages.get(i));
        }
    }

    /** Runs one element up to the first call; false if it was filtered out, or all are done. */
    private boolean begin(Iterator<?> rest) {
        try {
            if (!rest.hasNext()) {
                elements = null;
                return false;
            }
            Stage first = stages.get(0);
            Object element = site.through(0, first.number, functions, rest.next());
            if (StreamSite.isFiltered(element)) {
                return false;
            }
            if (!ask(first, element)) {
                elements = null;
                return false;
            }
            return true;
        } catch (Throwable t) { // the program meets it at its own place
            Passage.current().key = null;
            elements = null;
            return false;
        }
    }

    private void follow(Stage before, Stage stage) {
        try {
            while (!stage.ended && !before.asked.isEmpty() && stage.queue.hasRoom()) {
                stage.ended = !advance(before, before.asked.remove(), stage);
            }
        } catch (Throwable t) { // the program meets it at its own place
            Passage.current().key = null;
            stage.ended = true;
        }
        if (stage.ended) {
            stage.queue.finish();
            before.asked.clear();
        }
    }

    /** Takes one element on to the next call; false if that cannot be done. */
    private boolean advance(Stage before, Item item, Stage stage) throws Throwable {
        Object element = item.element();
        if (!StreamSite.isFiltered(element)) {
            SentCall sent = item.sent();
            if (sent == null || !sent.succeeds()) {
                return false;
            }
            element = site.next(before.number, element, look(before, sent, element));
        }
        element = site.through(before.number + 1, stage.number, functions, element);
        if (StreamSite.isFiltered(element)) {
            keep(stage, new Item(element, null));
            stage.queue.ahead();
            return true;
        }
        return ask(stage, element);
    }

    /** Returns the value of a function whose call has ended. */
    private @Nullable Object look(Stage stage, SentCall sent, @Nullable Object element) throws Throwable {
        Passage passage = Passage.current();
        passage.hand(site.helper(stage.number), new SeenCall(sent));
        Object result = site.apply(stage.number, functions[stage.number], element);
        passage.handed();
        return result;
    }

    /** Asks a function to send; false if it declines. */
    private boolean ask(Stage stage, @Nullable Object element) throws Throwable {
        Passage passage = Passage.current();
        passage.ask(site.helper(stage.number));
        site.apply(stage.number, functions[stage.number], element);
        Object sent = passage.asked();
        SentCall call = sent instanceof SentCall made ? made : null;
        if (sent != Passage.NOTHING && !stage.queue.put(call, 0)) {
            return false;
        }
        keep(stage, new Item(element, call));
        stage.queue.ahead();
        return true;
    }

    private void keep(Stage stage, Item item) {
        boolean isFollowed = stage != stages.get(stages.size() - 1);
        if (isFollowed && !stages.get(stages.indexOf(stage) + 1).ended) {
            stage.asked.add(item);
        }
    }

    @Override
    public void hand(int call) {
        Stage stage = stages.get(call);
        Passage.current().hand(site.helper(stage.number), stage.queue.take(0));
    }

    @Override
    public void stale() {}

    @Override
    public void close() {
        elements = null;
        for (Stage stage : stages) { // the first stage withdraws the calls of all stages, before it waits for any
            stage.asked.clear();
            stage.queue.close();
        }
    }
}
