package dev.cleave.examples.rtt;

import dev.cleave.Inline;

/** Does nothing, on the thread that has read the request. */
public final class InlineJob implements Job {

    @Override
    @Inline
    public void run() {}

    @Override
    @Inline
    public long get() {
        return 7;
    }
}
