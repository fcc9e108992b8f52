package dev.cleave.agent.plan.slice;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.IincInsnNode;

/**
 * Tells elements of arrays apart by their index (R33): read and written at the same place of the same pass, with an
 * index that every pass moves on, they never meet across passes.
 */
public final class SubscriptTest {

    private final Method method;
    private final Region region;

    /** Looks at the accesses of a region. */
    public SubscriptTest(Method method, Region region) {
        this.method = method;
        this.region = region;
    }

    /**
     * Whether an element written by one op is certainly not read by another op in a later pass, nor later in the same.
     */
    public boolean isApart(int writer, Access write, int reader, Access read) {
        if (write.index() == null
                || read.index() == null
                || region.after(writer).get(reader)) {
            return false;
        }
        Use written = new Use(writer, write.index()).behindMoves(method, region);
        Use wanted = new Use(reader, read.index()).behindMoves(method, region);
        if (written.register() != wanted.register()) {
            return false;
        }
        Register counter = written.register();
        BitSet definitions = region.definitions(written.index(), counter);
        if (!definitions.equals(region.definitions(wanted.index(), counter))
                || definitions.cardinality() != 2
                || !definitions.get(region.outside(counter))) {
            return false;
        }
        int step = definitions.nextSetBit(0);
        BitSet behind = region.after(step);
        return isStep(step)
                && !behind.get(writer)
                && !behind.get(reader)
                && !behind.get(written.index())
                && !behind.get(wanted.index())
                && isInEveryPass(step);
    }

    /**
     * Whether one op certainly reads no element of an array that another one has written since the array was made: both use the same index,
     * it moves on between any two uses but from the read to the write, and it begins anew at most once with each array.
     *
     * @param made the ops one of which makes the array
     */
    public boolean isApartSince(BitSet made, int writer, Access write, int reader, Access read) {
        if (write.index() == null || read.index() == null) {
            return false;
        }
        Use written = new Use(writer, write.index()).behindMoves(method, region);
        Use wanted = new Use(reader, read.index()).behindMoves(method, region);
        Register counter = written.register();
        BitSet definitions = method.whole().definitions(written.index(), counter);
        if (wanted.register() != counter || !definitions.equals(method.whole().definitions(wanted.index(), counter))) {
            return false;
        }
        int step = -1;
        for (int i = definitions.nextSetBit(0); i >= 0; i = definitions.nextSetBit(i + 1)) {
            boolean isStep = i < method.graph().size() && isStep(i);
            if (isStep && step >= 0 || i >= method.graph().size() || !isStep && leads(i, i, made)) {
                return false;
            }
            step = isStep ? i : step;
        }
        if (step < 0) {
            return false;
        }
        BitSet anew = (BitSet) made.clone();
        anew.set(step);
        return !leads(writer, writer, anew)
                && !leads(reader, reader, anew)
                && !leads(writer, reader, anew)
                && (written.index() == writer || !leads(step, writer, only(written.index())))
                && (wanted.index() == reader || !leads(step, reader, only(wanted.index())));
    }

    private static BitSet only(int index) {
        BitSet result = new BitSet();
        result.set(index);
        return result;
    }

    /** Whether a way leads from behind one op to another one past none of some others. */
    private boolean leads(int from, int to, BitSet stops) {
        for (int next : method.graph().all(from)) {
            if (next < method.graph().size()
                    && (next == to
                            || !stops.get(next)
                                    && method.graph().reachable(next, stops).get(to))) {
                return true;
            }
        }
        return false;
    }

    private boolean isStep(int index) {
        return method.op(index) instanceof InsnOp op
                && op.opcode() == Opcodes.IINC
                && op.uses().get(0) == op.def()
                && ((IincInsnNode) op.insn()).incr != 0;
    }

    private boolean isInEveryPass(int step) {
        Deque<Integer> work = new ArrayDeque<>(List.of(region.entry()));
        BitSet seen = new BitSet();
        while (!work.isEmpty()) {
            int index = work.pop();
            if (index == region.again()) {
                return false;
            }
            if (index == step || index >= method.graph().size() || seen.get(index)) {
                continue;
            }
            seen.set(index);
            region.successors(index).forEach(work::push);
        }
        return true;
    }
}
