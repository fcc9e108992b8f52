package dev.cleave.agent.plan.strand;

import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.plan.method.Method;
import java.util.BitSet;
import java.util.List;

/**
 * The part of a method whose calls strands may send: a nest of loops, or calls in straight line.
 *
 * @param entry the op at which control enters it
 * @param ops all its ops, those of handlers included
 * @param inner the outermost loops inside it
 * @param isLoop whether it is a loop, so that one pass may follow another
 */
record StrandPart(int entry, BitSet ops, List<Loop> inner, boolean isLoop) {

    /** Copies the list. */
    StrandPart {
        inner = List.copyOf(inner);
    }

    /** A loop, with the loops inside it. */
    static StrandPart of(Method method, Loop loop) {
        int entry = method.graph().body().indexOf(loop.header().first());
        return new StrandPart(entry, method.graph().opsOf(loop), loop.inner(), true);
    }
}
