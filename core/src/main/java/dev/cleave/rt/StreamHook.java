package dev.cleave.rt;

import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/** What stands in a stream as a {@code peek}. */
final class StreamHook implements Consumer<Object>, IntConsumer, LongConsumer, DoubleConsumer {

    private final StreamAhead ahead;
    private final int hook;

    /**
     * Makes one.
     *
     * @param hook the function that calls in front of which it stands, or what else to do for each element
     */
    StreamHook(StreamAhead ahead, int hook) {
        this.ahead = ahead;
        this.hook = hook;
    }

    @Override
    public void accept(Object element) {
        ahead.passes(hook);
    }

    @Override
    public void accept(int element) {
        ahead.passes(hook);
    }

    @Override
    public void accept(long element) {
        ahead.passes(hook);
    }

    @Override
    public void accept(double element) {
        ahead.passes(hook);
    }
}
