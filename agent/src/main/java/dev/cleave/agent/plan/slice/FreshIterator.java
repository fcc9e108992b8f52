package dev.cleave.agent.plan.slice;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import java.util.BitSet;
import org.objectweb.asm.Opcodes;

/** Whether a run-ahead can have an iterator of its own that stands where the program's does (R34). */
final class FreshIterator {

    private final Method method;
    private final Region region;
    private final BitSet inside;
    private final boolean repeats;

    /**
     * Prepares it.
     *
     * @param inside all ops of the loop
     * @param repeats whether the slice makes in each pass what the region makes
     */
    FreshIterator(Method method, Region region, BitSet inside, boolean repeats) {
        this.repeats = repeats;
        this.method = method;
        this.region = region;
        this.inside = inside;
    }

    /**
     * Whether it can.
     *
     * @param made the op that makes the program's
     * @param iterator holds it at an op
     */
    boolean holds(int made, Register iterator, int index) {
        if (inside.get(made)) {
            return inside == region.ops()
                    && repeats
                    && region.origin(index, iterator) == made; // the slice makes one in each pass
        }
        return !region.writes(iterator)
                && method.whole().origin(region.entry(), iterator) == made
                && !isUsedBefore(made)
                && !isEnteredAgain(made);
    }

    /** Whether the iterator that an op makes is used on the way to the region by anything else than moves. */
    private boolean isUsedBefore(int made) {
        for (int i = 0; i < method.graph().size(); i++) {
            if (inside.get(i) || !(method.op(i) instanceof InsnOp op) || op.opcode() == Opcodes.CHECKCAST) {
                continue;
            }
            for (Register use : op.uses()) {
                if (i != made && method.whole().origin(i, use) == made && reaches(i)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the region may be entered twice with the same iterator. */
    private boolean isEnteredAgain(int made) {
        BitSet stops = new BitSet();
        stops.set(made);
        BitSet looked = new BitSet();
        for (int i = inside.nextSetBit(0); i >= 0; i = inside.nextSetBit(i + 1)) {
            for (int successor : method.graph().all(i)) {
                if (inside.get(successor) || looked.get(successor)) {
                    continue;
                }
                looked.set(successor);
                if (method.graph().reachable(successor, stops).get(region.entry())) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean reaches(int index) {
        return method.graph().reachable(index).get(region.entry());
    }
}
