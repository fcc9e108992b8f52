package dev.cleave.rt;

import java.util.function.Consumer;
import java.util.function.DoubleConsumer;
import java.util.function.IntConsumer;
import java.util.function.LongConsumer;

/** The function of a {@code peek} that is inserted into a stream. */
final class StreamHook implements Consumer<Object>, IntConsumer, LongConsumer, DoubleConsumer {

    private final StreamAhead ahead;
    private final int hook;

    /**
     * Makes one.
     *
     * @param hook the number of the calling function after it, {@link StreamAhead#STEP} or {@link StreamAhead#STALE}
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
