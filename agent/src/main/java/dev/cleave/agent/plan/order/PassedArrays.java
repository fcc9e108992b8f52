package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import java.util.BitSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * The arrays that the passes of a loop come to (R75): elements of an array, of a list or of an iterator, and fields of these. A copy
 * that takes the way of the program comes to the very same ones.
 */
final class PassedArrays {

    private final Method method;
    private final Region region;

    PassedArrays(Method method, Region region) {
        this.method = method;
        this.region = region;
    }

    /** Whether a register holds, in front of an op, an array that each pass looks up anew. */
    boolean isComeTo(int index, Register register) {
        return isFound(index, register, new BitSet());
    }

    private boolean isFound(int index, Register register, BitSet seen) {
        BitSet definitions = region.definitions(index, register);
        for (int i = definitions.nextSetBit(0); i >= 0; i = definitions.nextSetBit(i + 1)) {
            if (i >= method.graph().size()) {
                return false;
            }
            Op op = method.op(i);
            boolean isPassed =
                    Definitions.passesOn(op) || op instanceof InsnOp insn && insn.opcode() == Opcodes.GETFIELD;
            if (isPassed && !seen.get(i)) {
                seen.set(i);
                if (!isFound(i, op.uses().get(0), seen)) {
                    return false;
                }
            } else if (!isPassed && !isLookedUp(i, op)) {
                return false;
            }
        }
        return !definitions.isEmpty();
    }

    /** Whether an op gives an element that depends on the pass. */
    private boolean isLookedUp(int index, Op op) {
        if (!(op instanceof InsnOp insn)) {
            return false;
        }
        MethodInsnNode call = insn.method();
        if (call == null) {
            return insn.opcode() == Opcodes.AALOAD && varies(index, op.uses().get(1), new BitSet());
        }
        return call.owner.equals("java/util/Iterator") && call.name.equals("next")
                || call.owner.equals("java/util/List")
                        && call.desc.equals("(I)Ljava/lang/Object;")
                        && call.name.equals("get")
                        && varies(index, op.uses().get(1), new BitSet());
    }

    /** Whether a number is not certainly the same in each pass. */
    private boolean varies(int index, Register number, BitSet seen) {
        BitSet definitions = region.definitions(index, number);
        int definition = definitions.nextSetBit(0);
        if (definitions.cardinality() != 1 || definition < 0) {
            return definitions.cardinality() > 1;
        }
        if (definition >= method.graph().size() || seen.get(definition) || method.op(definition) instanceof ConstOp) {
            return false;
        }
        seen.set(definition);
        return method.op(definition).uses().stream().anyMatch(use -> varies(definition, use, seen));
    }
}
