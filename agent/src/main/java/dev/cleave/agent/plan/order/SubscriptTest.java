package dev.cleave.agent.plan.order;

import dev.cleave.agent.effect.Access;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.slice.Use;
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
final class SubscriptTest {

    private final Method method;
    private final Region region;

    SubscriptTest(Method method, Region region) {
        this.method = method;
        this.region = region;
    }

    /**
     * Whether an element written by one op is certainly not read by another op in a later pass, nor later in the same.
     */
    boolean isApart(int writer, Access write, int reader, Access read) {
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
