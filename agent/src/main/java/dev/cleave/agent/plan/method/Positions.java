package dev.cleave.agent.plan.method;

import java.util.Map;

/** The positions of calls in a queue: one for each call, those that helpers make included. */
public final class Positions {

    private Positions() {}

    /** The position of the first call that a send of a slice stands for. */
    public static int of(SendSlice slice, Map<Integer, PrefetchHelper> called, int send) {
        int position = 0;
        for (int other : slice.sends()) {
            if (other == send) {
                return position;
            }
            PrefetchHelper helper = called.get(other);
            position += helper == null ? 1 : helper.calls().size();
        }
        throw new IllegalArgumentException("send: " + send + " (expected: one of " + slice.sends() + ")");
    }
}
