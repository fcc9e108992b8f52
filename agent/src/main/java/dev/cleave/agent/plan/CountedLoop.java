package dev.cleave.agent.plan;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Register;
import java.util.BitSet;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.IincInsnNode;

/** Whether a loop certainly ends: it counts and compares, or asks an iterator (R11). */
final class CountedLoop {

    private final Method method;
    private final BitSet loop;

    CountedLoop(Method method, BitSet loop) {
        this.method = method;
        this.loop = loop;
    }

    boolean ends() {
        for (int i = loop.nextSetBit(0); i >= 0; i = loop.nextSetBit(i + 1)) {
            if (method.op(i) instanceof InsnOp op) {
                boolean asks = op.method() != null && op.method().name.equals("hasNext");
                boolean counts = op.opcode() == Opcodes.IINC && ((IincInsnNode) op.insn()).incr != 0;
                if (asks || counts && op.def() != null && isOnlyDefinition(i, op.def()) && leavesBy(op.def())) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean isOnlyDefinition(int index, Register register) {
        for (int i = loop.nextSetBit(0); i >= 0; i = loop.nextSetBit(i + 1)) {
            Register def = method.op(i).def();
            if (i != index && def != null && def.overlaps(register)) {
                return false;
            }
        }
        return true;
    }

    private boolean leavesBy(Register counter) {
        for (int i = loop.nextSetBit(0); i >= 0; i = loop.nextSetBit(i + 1)) {
            if (method.op(i) instanceof BranchOp branch
                    && isOrdered(branch.opcode())
                    && leaves(i)
                    && reads(i, counter)) {
                return true;
            }
        }
        return false;
    }

    private boolean leaves(int branch) {
        for (int successor : method.graph().next(branch)) {
            if (!loop.get(successor)) {
                return true;
            }
        }
        return false;
    }

    private boolean reads(int branch, Register counter) {
        for (Register use : method.op(branch).uses()) {
            if (use == counter) {
                return true;
            }
            BitSet definitions = method.whole().definitions(branch, use);
            int definition = definitions.nextSetBit(0);
            if (definitions.cardinality() == 1
                    && definition < method.graph().size()
                    && method.op(definition) instanceof MoveOp move
                    && move.use() == counter) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOrdered(int opcode) {
        return opcode >= Opcodes.IFLT && opcode <= Opcodes.IFLE
                || opcode >= Opcodes.IF_ICMPLT && opcode <= Opcodes.IF_ICMPLE;
    }
}
