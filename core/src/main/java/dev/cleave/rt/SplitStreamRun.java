package dev.cleave.rt;

import dev.cleave.call.Handle;
import dev.cleave.ref.ElementsAhead;
import dev.cleave.transport.WaitCondition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.stream.BaseStream;
import org.jspecify.annotations.Nullable;

/**
 * Runs ahead of a stream whose functions make calls that may change something (R69): exactly those that the program
 * makes, in its order.
 *
 * <p>The first function that calls is asked for some elements ahead. Each later function follows as results arrive: the
 * function before it is run with such a result, which it looks at and does not take, and its value goes on to the later
 * one; of a function that makes streams, the elements of its stream. While the program waits for a call, later
 * functions follow.
 */
final class SplitStreamRun implements StreamRun {

    /** The number of elements that may be filtered out for each one that the program takes. */
    private static final int IDLE = 256;

    private final StreamSite site;
    private final Object[] functions;
    private final List<Stage> stages = new ArrayList<>();
    private @Nullable Iterator<?> elements;
    private long begun = -1; // of the elements of the first function
    private long sent;

    /**
     * An element for which a function was asked.
     *
     * @param sent the call that the function has sent, null if it has sent none
     * @param of the number of the first function's element that it was made of
     */
    private record Item(@Nullable Object element, @Nullable SentCall sent, long of) {

        /** Whether the result of the call is here for good. */
        boolean isKnown() {
            return sent == null || sent.isDone() && !sent.handle().isRefusedForNow();
        }
    }

    /** A function that calls, and the elements that the next function has not reached. */
    private static final class Stage {

        private final int number;
        private final LoopQueue queue;
        private final boolean isFollowed;
        private final Deque<Item> asked = new ArrayDeque<>();
        private final Deque<Long> ahead =
                new ArrayDeque<>(); // where its elements come from that the program has not reached
        private Iterator<?> made = Collections.emptyIterator(); // what is left of the stream made of an element
        private long madeOf;
        private boolean ended;
        private @Nullable SentCall last;

        Stage(int number, LoopQueue queue, boolean isFollowed) {
            this.number = number;
            this.queue = queue;
            this.isFollowed = isFollowed;
        }

        void end() {
            ended = true;
            queue.finish();
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
            LoopQueue queue = call == 0 ? loop.open() : LoopQueue.ofElements(stages.get(call - 1).queue);
            if (call > 0) {
                queue.leaveOut();
            }
            stages.add(new Stage(site.stageOf(call), queue, call + 1 < site.calls()));
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
        Stage first = stages.get(0);
        first.queue.begin();
        begun++;
        goOn(first);
    }

    @Override
    public void hand(int call) {
        Stage stage = stages.get(call);
        if (call > 0) {
            stage.queue.begin();
            goOn(stage);
        }
        Long of = stage.ahead.poll();
        if (of != null && of != begun) {
            close(); // what decides has changed under way, as another thread can make it
        }
        SentCall taken = stage.queue.take(0);
        if (taken != null && stages.size() > 1) {
            await(taken);
        }
        Passage.current().hand(site.helper(stage.number), taken);
    }

    /** Waits for a call, while later functions follow as results arrive. */
    private void await(SentCall call) {
        Thread me = Thread.currentThread();
        call.handle().wakes(me);
        while (!call.isDone()) {
            List<Handle> others = new ArrayList<>();
            for (Stage stage : stages) {
                Item next = stage.asked.peek();
                SentCall other = next == null ? null : next.sent();
                if (other != null && other != call && !other.isDone()) {
                    other.handle().wakes(me);
                    others.add(other.handle());
                }
                if (stage.last != null) {
                    stage.last.handle().hurry();
                    stage.last = null;
                }
            }
            WaitCondition anyOther = () -> others.stream().anyMatch(Handle::isDone);
            if (others.isEmpty() || call.awaitOr(anyOther)) {
                return;
            }
            goOn(null);
        }
    }

    /**
     * Lets all functions run ahead.
     *
     * @param reached the function that the program has come to, if it has come to the next one: it may not fall behind,
     *     as it would be asked for what the program has done itself
     */
    private void goOn(@Nullable Stage reached) {
        Stage first = stages.get(0);
        int passed = IDLE;
        while (elements != null
                && (passed > 0 || isBehind(first, reached))
                && (isBehind(first, reached) || hasArrived(elements))
                && first.queue.hasRoom()) {
            passed -= begin(elements) ? 0 : 1;
        }
        if (isBehind(first, reached)) {
            elements = null;
        }
        for (int i = 1; i < stages.size(); i++) {
            follow(stages.get(i - 1), stages.get(i), reached);
        }
    }

    /** Whether the next element is here: one of another node may not have arrived, and the program does not ask for it next. */
    private static boolean hasArrived(Iterator<?> elements) {
        return !(elements instanceof ElementsAhead arriving) || arriving.hasArrived();
    }

    private static boolean isBehind(Stage stage, @Nullable Stage reached) {
        return stage == reached && stage.ahead.isEmpty();
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
            if (!ask(first, element, sent)) {
                elements = null;
                return false;
            }
            sent++;
            return true;
        } catch (Throwable t) { // the program meets it at its own place
            Passage.current().key = null;
            elements = null;
            return false;
        }
    }

    private void follow(Stage before, Stage stage, @Nullable Stage reached) {
        int passed = IDLE;
        try {
            while (!stage.ended && (passed > 0 || isBehind(stage, reached)) && stage.queue.hasRoom()) {
                Item next = before.asked.peek();
                if (before.made.hasNext()) {
                    passed -= pass(before, before.made.next(), stage, before.madeOf) ? 0 : 1;
                } else if (next == null || !next.isKnown()) {
                    break;
                } else {
                    before.asked.remove();
                    passed -= advance(before, next, stage) ? 0 : 1;
                }
            }
            if (isBehind(stage, reached)) {
                stage.end();
            }
        } catch (Throwable t) { // the program meets it at its own place
            Passage.current().key = null;
            stage.end();
        }
        if (stage.ended) {
            before.made = Collections.emptyIterator();
            before.asked.clear();
        }
    }

    /** Takes one element whose call has ended on to the next call, or begins its stream; false if it does not come there. */
    private boolean advance(Stage before, Item item, Stage stage) throws Throwable {
        SentCall call = item.sent();
        if (call == null || !call.succeeds()) {
            stage.end();
            return false;
        }
        Object result = site.next(before.number, item.element(), look(before, call, item.element()));
        if (!site.isFlat(before.number)) {
            return pass(before, result, stage, item.of());
        }
        if (result != null) {
            before.made = ((BaseStream<?, ?>) result).iterator();
            before.madeOf = item.of();
        }
        return false;
    }

    /** Takes what a function gave on to the next call; false if it does not come there. */
    private boolean pass(Stage before, @Nullable Object made, Stage stage, long of) throws Throwable {
        Object element =
                StreamSite.isFiltered(made) ? made : site.through(before.number + 1, stage.number, functions, made);
        if (StreamSite.isFiltered(element)) {
            return false;
        }
        if (!ask(stage, element, of)) {
            stage.end();
        }
        return true;
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
    private boolean ask(Stage stage, @Nullable Object element, long of) throws Throwable {
        Passage passage = Passage.current();
        passage.ask(site.helper(stage.number));
        site.apply(stage.number, functions[stage.number], element);
        Object answer = passage.asked();
        SentCall call = answer instanceof SentCall made ? made : null;
        if (answer != Passage.NOTHING && !stage.queue.put(call, 0)) {
            return false;
        }
        if (stage.isFollowed && !stages.get(stages.indexOf(stage) + 1).ended) {
            stage.asked.add(new Item(element, call, of));
        }
        stage.last = call == null ? stage.last : call;
        stage.ahead.add(of);
        stage.queue.ahead();
        return true;
    }

    @Override
    public void stale() {}

    @Override
    public void close() {
        elements = null;
        for (Stage stage : stages) { // the first stage withdraws the calls of all stages, before it waits for any
            stage.end();
            stage.asked.clear();
            stage.ahead.clear();
            stage.made = Collections.emptyIterator();
            stage.queue.close();
        }
    }
}
