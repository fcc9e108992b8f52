package dev.cleave.agent.plan;

import dev.cleave.agent.scan.Reading;
import java.util.BitSet;
import java.util.List;

/**
 * Calls that are made ahead and claimed at their places (Group H).
 *
 * @param loop all ops of the loop
 * @param slice what runs ahead; its region is the loop as it runs when all guesses are right and nothing is thrown
 * @param readings what is known of the methods called, in the order of the slice's sends
 * @param window the most calls in flight
 * @param guesses whether going on is a guess: then nothing is sent before the second pass
 * @param stale the ops in front of which what was sent may become stale (R61); empty if that does not matter
 * @param remote those of them that are remote calls: they are unknown code only if they are served here
 */
public record PrefetchPlan(
        BitSet loop,
        SendSlice slice,
        List<Reading> readings,
        int window,
        boolean guesses,
        List<Integer> stale,
        BitSet remote) {

    /** Copies its components. */
    public PrefetchPlan {
        readings = List.copyOf(readings);
        stale = List.copyOf(stale);
    }
}
