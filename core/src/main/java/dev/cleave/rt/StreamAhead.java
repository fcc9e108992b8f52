package dev.cleave.rt;

import java.util.Iterator;
import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs ahead of a sequential stream whose one function calls (R69).
 *
 * <p>The stream stays as it is; this stands as a {@code peek} right in front of that function. When an element comes by,
 * it walks an iterator of its own over the stream's source, some elements further, through the pure functions in front,
 * and asks the function that calls to send. Then it hands over what was sent for the element at hand, which the stream
 * gives to the function next. Nothing happens before the stream is run. Confined to the thread that runs it.
 */
public final class StreamAhead implements Consumer<Object>, IntConsumer, LongConsumer, DoubleConsumer {

    /** How many elements that are filtered out may be passed for one that the program takes. */
    private static final int IDLE = 256;

    private static final Object FILTERED = new Object();

    private final StreamSite site;
    private final StreamSource source;
    private final Object[] functions;
    private @Nullable Iterator<?> elements;
    private @Nullable LoopQueue queue;
    private boolean idle;

    /**
     * Prepares a run.
     *
     * @param functions the functions of the stream, the last one that which calls
     */
    StreamAhead(StreamSite site, StreamSource source, Object[] functions) {
        this.site = site;
        this.source = source;
        this.functions = functions;
    }

    /** Puts a run in front of the next stage; parallel streams stay as they are. */
    public static Stream<?> attach(Stream<?> stream, @Nullable StreamAhead ahead) {
        return ahead == null || stream.isParallel() ? stream : stream.peek(ahead);
    }

    /** As for other streams. */
    public static IntStream attach(IntStream stream, @Nullable StreamAhead ahead) {
        return ahead == null || stream.isParallel() ? stream : stream.peek(ahead);
    }

    /** As for other streams. */
    public static LongStream attach(LongStream stream, @Nullable StreamAhead ahead) {
        return ahead == null || stream.isParallel() ? stream : stream.peek(ahead);
    }

    /** As for other streams. */
    public static DoubleStream attach(DoubleStream stream, @Nullable StreamAhead ahead) {
        return ahead == null || stream.isParallel() ? stream : stream.peek(ahead);
    }

    /** A stage behind writes to an object: nothing runs ahead if that might be seen through the source. */
    public static void fills(@Nullable StreamAhead ahead, @Nullable Object object) {
        if (ahead != null && object != null) {
            ahead.idle |= !Rt.isContained(object) || !ahead.source.isApartFrom(object);
        }
    }

    /** The stream has ended, or an exception ends it: what was sent and not taken is given up. */
    public static void close(@Nullable StreamAhead ahead) {
        if (ahead != null && ahead.queue != null) {
            ahead.queue.close();
        }
    }

    @Override
    public void accept(Object element) {
        step();
    }

    @Override
    public void accept(int element) {
        step();
    }

    @Override
    public void accept(long element) {
        step();
    }

    @Override
    public void accept(double element) {
        step();
    }

    private void step() {
        LoopQueue open = queue;
        if (open == null) {
            open = site.open();
            queue = open;
            elements = idle ? null : source.iterator();
        }
        open.begin();
        int passed = IDLE;
        while (elements != null && passed > 0 && open.hasRoom()) {
            passed -= run(open, elements) ? 0 : 1;
        }
        Passage.current().hand(site.helper(), open.take(0));
    }

    /** Runs one element ahead; false if it was filtered out, or all are done. */
    private boolean run(LoopQueue open, Iterator<?> rest) {
        Passage passage = Passage.current();
        try {
            if (!rest.hasNext()) {
                elements = null;
                return false;
            }
            Object element = throughStages(rest.next());
            if (element == FILTERED) {
                return false;
            }
            passage.ask(site.helper());
            Object unused = (Object) site.function(site.stages()).invokeExact(functions[site.stages()], element);
            Object sent = passage.asked();
            if (sent == Passage.NOTHING || open.put((SentCall) sent, 0)) {
                open.ahead();
                return true;
            }
            elements = null;
            return false;
        } catch (Throwable t) { // the program meets it at its own place
            passage.key = null;
            elements = null;
            return false;
        }
    }

    private @Nullable Object throughStages(@Nullable Object first) throws Throwable {
        Object element = first;
        for (int i = 0; i < site.stages(); i++) {
            Object result = (Object) site.function(i).invokeExact(functions[i], element);
            if (!site.isFilter(i)) {
                element = result;
            } else if (!Boolean.TRUE.equals(result)) {
                return FILTERED;
            }
        }
        return element;
    }
}
