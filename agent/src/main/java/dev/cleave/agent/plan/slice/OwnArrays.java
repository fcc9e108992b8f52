package dev.cleave.agent.plan.slice;

import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.RegisterKind;
import dev.cleave.agent.ir.ReturnOp;
import dev.cleave.agent.plan.analysis.Definitions;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.MultiANewArrayInsnNode;

/**
 * Finds arrays that a method makes for itself alone, and the rows of these: {@code double[][] sums = new double[n][m]}. The
 * method may give such an array away behind the region if it makes another one before it comes to the region again.
 */
public final class OwnArrays {

    private final Method method;
    private final Region region;

    /** Looks at the arrays that a region writes to. */
    public OwnArrays(Method method, Region region) {
        this.method = method;
        this.region = region;
    }

    /**
     * Returns the op that made the array in a register, or the array of which the register holds a row, if nothing but
     * registers of the method knows it while the region runs; else -1.
     */
    public int of(int index, Register register) {
        List<Integer> chain = new ArrayList<>(List.of(index));
        Register wanted = register;
        int rows = 0;
        while (chain.size() <= method.graph().size()) {
            BitSet definitions = method.whole().definitions(chain.get(chain.size() - 1), wanted);
            int definition = definitions.nextSetBit(0);
            if (definitions.cardinality() != 1 || definition >= method.graph().size()) {
                return -1;
            }
            chain.add(definition);
            Op op = method.op(definition);
            if (isArray(op, rows)) {
                return isRenewed(chain) && !isKnown(definition) ? definition : -1;
            }
            if (!isPart(op)) {
                return -1;
            }
            rows += isRow(op) ? 1 : 0;
            wanted = op.uses().get(0);
        }
        return -1;
    }

    /**
     * Whether a register holds, before an op, an array that the method has made for that op alone, of nothing but numbers, strings and other values of the
     * JDK, as it does for a call with any number of arguments.
     */
    public boolean holdValues(int index, Register register) {
        int made = method.whole().origin(index, register);
        if (made < 0 || !(method.op(made) instanceof InsnOp op) || op.opcode() != Opcodes.ANEWARRAY) {
            return false;
        }
        Aliases aliases = new Aliases(method, region);
        for (int i = 0; i < method.graph().size(); i++) {
            Op use = method.op(i);
            for (int operand = 0; i != index && operand < use.uses().size(); operand++) {
                Register object = use.uses().get(operand);
                if (object.kind() == RegisterKind.REFERENCE
                        && aliases.mayBe(i, object, made)
                        && !Definitions.passesOn(use)
                        && !(operand == 0 && storesValue(use))) {
                    return false;
                }
            }
        }
        return true;
    }

    private boolean storesValue(Op op) {
        return op instanceof InsnOp insn
                && insn.opcode() == Opcodes.AASTORE
                && method.effects().isValue(insn, insn.uses().get(2));
    }

    /** Whether an op makes an array whose parts, as many levels below it, it makes as well. */
    private static boolean isArray(Op op, int levels) {
        if (!(op instanceof InsnOp insn)) {
            return false;
        }
        if (insn.insn() instanceof MultiANewArrayInsnNode many) {
            return levels < many.dims;
        }
        return levels == 0 && (insn.opcode() == Opcodes.NEWARRAY || insn.opcode() == Opcodes.ANEWARRAY);
    }

    private static boolean isRow(Op op) {
        return op instanceof InsnOp insn && insn.opcode() == Opcodes.AALOAD;
    }

    /** Whether the result of an op is its first operand, or a part of that. */
    private static boolean isPart(Op op) {
        return Definitions.passesOn(op) || isRow(op);
    }

    /**
     * Whether the object at the first place of a chain is the one that its last place made last: from there, no way leads to
     * one of the places around the place that stands before it.
     */
    private boolean isRenewed(List<Integer> chain) {
        int made = chain.get(chain.size() - 1);
        for (int i = chain.size() - 2; i > 0; i--) {
            BitSet before = new BitSet();
            before.set(chain.get(i));
            if (method.graph().reachable(made, before).get(chain.get(i - 1))) {
                return false;
            }
        }
        return true;
    }

    /** Whether something but registers of the method may know an array, or a part of it, while the region runs. */
    private boolean isKnown(int made) {
        BitSet holds = new BitSet(); // ops whose results may be the array or a part of it
        holds.set(made);
        boolean hasGrown = true;
        while (hasGrown) {
            hasGrown = false;
            for (int i = 0; i < method.graph().size(); i++) {
                Op op = method.op(i);
                if (!holds.get(i)
                        && isPart(op)
                        && op.def() != null
                        && isHeld(i, op.uses().get(0), holds)) {
                    holds.set(i);
                    hasGrown = true;
                }
            }
        }
        for (int i = 0; i < method.graph().size(); i++) {
            if (tells(i, holds) && matters(i, made)) {
                return true;
            }
        }
        return false;
    }

    private boolean isHeld(int index, Register register, BitSet holds) {
        return register.kind() == RegisterKind.REFERENCE
                && method.whole().definitions(index, register).intersects(holds);
    }

    /** Whether an op may tell other code of the array, or puts an object into it. */
    private boolean tells(int index, BitSet holds) {
        Op op = method.op(index);
        if (!(op instanceof InsnOp insn) || isPart(op) || op instanceof ReturnOp) {
            return false; // comparisons; what is returned or thrown leaves the region
        }
        for (int i = 0; i < op.uses().size(); i++) {
            if (isHeld(index, op.uses().get(i), holds) && !(i == 0 && isAccess(insn.opcode()))) {
                return true;
            }
        }
        return false;
    }

    /** Whether an instruction reads or writes values of the array in its first operand. */
    private static boolean isAccess(int opcode) {
        boolean isRead = opcode >= Opcodes.IALOAD && opcode <= Opcodes.SALOAD;
        boolean isWrite = opcode >= Opcodes.IASTORE && opcode <= Opcodes.SASTORE && opcode != Opcodes.AASTORE;
        return isRead || isWrite || opcode == Opcodes.ARRAYLENGTH;
    }

    /** Whether the region may run behind an op, or hold it, with the array that was made before that op. */
    private boolean matters(int index, int made) {
        BitSet again = new BitSet();
        again.set(made);
        return region.ops().get(index) || method.graph().reachable(index, again).get(region.entry());
    }
}
