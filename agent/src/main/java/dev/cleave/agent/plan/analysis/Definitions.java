package dev.cleave.agent.plan.analysis;

import dev.cleave.agent.effect.ValueTypes;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Finds the definitions of a register that may reach an op of a region.
 *
 * <p>It searches backwards from the op and keeps the answer: most registers are temporaries, whose definition stands a
 * few ops above, so this is far cheaper than the sets of all definitions at all ops.
 */
public final class Definitions {

    private final OpGraph graph;
    private final int entry;
    private final BitSet ops;
    private final boolean isOnePass;
    private @Nullable Set<Register> written;
    private final Map<Long, BitSet> known = new HashMap<>();

    Definitions(OpGraph graph, int entry, BitSet ops) {
        this(graph, entry, ops, false);
    }

    /**
     * Prepares a search.
     *
     * @param isOnePass whether definitions of the pass before count as those before the region
     */
    Definitions(OpGraph graph, int entry, BitSet ops, boolean isOnePass) {
        this.isOnePass = isOnePass;
        this.graph = graph;
        this.entry = entry;
        this.ops = ops;
    }

    /** The registers that ops of the region write. */
    private Set<Register> written() {
        Set<Register> found = written;
        if (found == null) {
            found = new HashSet<>();
            for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
                Register def = graph.op(i).def();
                if (def != null) {
                    found.add(def);
                }
            }
            written = found;
        }
        return found;
    }

    /** The definition of a register before the region is entered. */
    int outside(Register register) {
        return graph.size() + register.number();
    }

    /** Indices of ops of the region, or {@link #outside}; not to be changed. */
    BitSet of(int index, Register register) {
        long key = ((long) index << 32) | register.number();
        BitSet found = known.get(key);
        if (found == null) {
            found = ops.get(index) ? search(index, register) : new BitSet();
            known.put(key, found);
        }
        return found;
    }

    /** Whether a register is written in the region. */
    boolean writes(Register register) {
        if (!register.isLocal()) {
            return written().contains(register);
        }
        for (Register other : written()) {
            if (other.overlaps(register)) {
                return true;
            }
        }
        return false;
    }

    private BitSet search(int index, Register register) {
        BitSet result = new BitSet();
        if (!writes(register)) {
            result.set(outside(register));
            return result;
        }
        BitSet seen = new BitSet();
        Worklist work = new Worklist(index);
        while (!work.isEmpty()) {
            int at = work.pop();
            if (seen.get(at)) {
                continue;
            }
            seen.set(at);
            if (at == entry) {
                result.set(outside(register));
                if (isOnePass) {
                    continue;
                }
            }
            for (int before : graph.previous(at)) {
                if (!ops.get(before)) {
                    continue;
                }
                Register def = graph.op(before).def();
                if (def == register) {
                    result.set(before);
                } else if (def == null || !def.overlaps(register)) {
                    work.push(before);
                }
            }
            for (int thrower : graph.throwers(at)) {
                if (ops.get(thrower)) {
                    work.push(thrower);
                }
            }
        }
        return result;
    }

    /** Whether the result of an op is the object in its first operand. */
    public static boolean passesOn(Op op) {
        boolean isChain = op instanceof InsnOp insn
                && insn.method() != null
                && insn.method().owner.equals("java/lang/StringBuilder")
                && insn.method().desc.endsWith(")Ljava/lang/StringBuilder;");
        return op instanceof MoveOp || isCast(op) || isChain;
    }

    /** Whether an op is a {@code checkcast}. */
    public static boolean isCast(Op op) {
        return op instanceof InsnOp insn && insn.opcode() == Opcodes.CHECKCAST;
    }

    /** Whether an op makes an object or an array, or copies an array of values. */
    public static boolean isAllocation(Op op) {
        return op instanceof InsnOp insn
                && (insn.opcode() == Opcodes.NEW
                        || insn.opcode() == Opcodes.NEWARRAY
                        || insn.opcode() == Opcodes.ANEWARRAY
                        || insn.opcode() == Opcodes.MULTIANEWARRAY
                        || isCopy(insn));
    }

    private static boolean isCopy(InsnOp op) {
        Type type = op.method() == null
                        || !op.method().owner.startsWith("[")
                        || !op.method().name.equals("clone")
                ? null
                : Type.getObjectType(op.method().owner);
        return type != null && type.getDimensions() == 1 && ValueTypes.isValue(type.getElementType());
    }

    /** Whether an op calls a method that returns an iterator. */
    public static boolean returnsIterator(Op op) {
        return op instanceof InsnOp insn
                && insn.method() != null
                && insn.method().desc.endsWith(")Ljava/util/Iterator;");
    }

    /** Whether an op calls {@code iterator()}, or {@code listIterator()} without a place to begin at. */
    public static boolean makesIterator(Op op) {
        return op instanceof InsnOp insn
                && insn.method() != null
                && insn.method().owner.startsWith("java/")
                && (insn.method().name.equals("iterator") && insn.method().desc.equals("()Ljava/util/Iterator;")
                        || insn.method().name.equals("listIterator")
                                && insn.method().desc.equals("()Ljava/util/ListIterator;"));
    }
}
