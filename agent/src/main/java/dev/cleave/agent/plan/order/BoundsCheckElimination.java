package dev.cleave.agent.plan.order;

import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import dev.cleave.agent.plan.method.Method;
import dev.cleave.agent.plan.slice.Use;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.TypeInsnNode;

/**
 * Whether a store into an array certainly does not throw: the array was made by the method, and the index counts up
 * from 0 or more and has been compared with the length in the same pass, {@code for (int i = 0; i < n; i++) made[i] =
 * ...}.
 */
public final class BoundsCheckElimination {

    private final Method method;
    private final Region region;

    /** Looks at stores in a loop. */
    public BoundsCheckElimination(Method method, Region region) {
        this.method = method;
        this.region = region;
    }

    /** Whether the store of an op into an element of an array is certain. */
    public boolean holds(int store) {
        Op op = method.op(store);
        int made = method.whole().origin(store, op.uses().get(0));
        if (made < 0 || !(method.op(made) instanceof InsnOp array) || !isArray(array)) {
            return false;
        }
        Use counter = new Use(store, op.uses().get(1)).behindMoves(method, region);
        BitSet definitions = region.definitions(counter.index(), counter.register());
        int step = definitions.nextSetBit(0);
        boolean counts = definitions.cardinality() == 2
                && definitions.get(region.outside(counter.register()))
                && isStep(step)
                && !region.after(step).get(store)
                && beginsAtZeroOrMore(counter.register());
        return counts && takes(array, store, op) && isCompared(store, counter, definitions, made);
    }

    private static boolean isArray(InsnOp op) {
        return op.opcode() == Opcodes.NEWARRAY || op.opcode() == Opcodes.ANEWARRAY;
    }

    private boolean isStep(int index) {
        return method.op(index) instanceof InsnOp op
                && op.opcode() == Opcodes.IINC
                && op.uses().get(0) == op.def()
                && ((IincInsnNode) op.insn()).incr > 0;
    }

    /** Whether the array takes the value: a primitive, or what a method returns of the very type of the elements. */
    private boolean takes(InsnOp array, int store, Op op) {
        if (array.opcode() == Opcodes.NEWARRAY) {
            return true;
        }
        int value = region.origin(store, op.uses().get(2));
        return value >= 0
                && method.op(value) instanceof InsnOp call
                && call.method() != null
                && Type.getReturnType(call.method().desc)
                        .equals(Type.getObjectType(((TypeInsnNode) array.insn()).desc));
    }

    private boolean beginsAtZeroOrMore(Register counter) {
        BitSet definitions =
                (BitSet) method.whole().definitions(region.entry(), counter).clone();
        definitions.andNot(region.ops());
        for (int i = definitions.nextSetBit(0); i >= 0; i = definitions.nextSetBit(i + 1)) {
            if (i >= method.graph().size()) {
                return false;
            }
            int made = method.op(i) instanceof MoveOp move ? method.whole().origin(i, move.use()) : i;
            if (made < 0 || !(method.op(made) instanceof ConstOp constant) || !isZeroOrMore(constant.value())) {
                return false;
            }
        }
        return !definitions.isEmpty();
    }

    private static boolean isZeroOrMore(@Nullable Object constant) {
        return constant instanceof Integer number && number >= 0;
    }

    /** Whether each pass that comes to the store has found the counter to be less than the length of the array. */
    private boolean isCompared(int store, Use counter, BitSet definitions, int made) {
        for (int i = region.ordinary().nextSetBit(0);
                i >= 0;
                i = region.ordinary().nextSetBit(i + 1)) {
            if (!(method.op(i) instanceof BranchOp branch) || branch.uses().size() != 2) {
                continue;
            }
            boolean isUp = branch.opcode() == Opcodes.IF_ICMPGE; // leaves if counter >= length
            boolean isDown = branch.opcode() == Opcodes.IF_ICMPLE; // leaves if length <= counter
            if (!isUp && !isDown || !leaves(branch)) {
                continue;
            }
            Use compared = new Use(i, branch.uses().get(isUp ? 0 : 1)).behindMoves(method, region);
            BitSet stop = new BitSet();
            stop.set(i);
            if (compared.register() == counter.register()
                    && region.definitions(compared.index(), compared.register()).equals(definitions)
                    && !region.afterUpTo(region.entry(), stop).get(store)
                    && isLength(i, branch.uses().get(isUp ? 1 : 0), made)) {
                return true;
            }
        }
        return false;
    }

    private boolean leaves(BranchOp branch) {
        return branch.targets().stream()
                .noneMatch(target -> region.ops().get(method.graph().body().indexOf(target)));
    }

    /** Whether a register holds the length that an array was made with. */
    private boolean isLength(int index, Register register, int made) {
        int origin = method.whole().origin(index, register);
        Register length = method.op(made).uses().get(0);
        if (isLengthOf(origin, made)) {
            return true;
        }
        int given = method.whole().origin(made, length);
        if (origin >= 0 && given >= 0) {
            boolean isSame = method.op(origin) instanceof ConstOp one
                    && method.op(given) instanceof ConstOp other
                    && one.value() instanceof Integer number
                    && number.equals(other.value());
            return isSame || areLengthsOfOne(origin, given);
        }
        Use one = new Use(index, register).behindMoves(method, method.whole());
        Use other = new Use(made, length).behindMoves(method, method.whole());
        return one.register() == other.register()
                && method.whole()
                        .definitions(one.index(), one.register())
                        .equals(method.whole().definitions(other.index(), other.register()))
                && !region.writes(one.register());
    }

    private boolean isLengthOf(int origin, int made) {
        return isArrayLength(origin)
                && method.whole().origin(origin, method.op(origin).uses().get(0)) == made;
    }

    private boolean areLengthsOfOne(int origin, int given) {
        if (!isArrayLength(origin) || !isArrayLength(given)) {
            return false;
        }
        Use one = new Use(origin, method.op(origin).uses().get(0)).behindMoves(method, method.whole());
        Use other = new Use(given, method.op(given).uses().get(0)).behindMoves(method, method.whole());
        return one.register() == other.register()
                && !region.writes(one.register())
                && method.whole()
                        .definitions(one.index(), one.register())
                        .equals(method.whole().definitions(other.index(), other.register()));
    }

    private boolean isArrayLength(int index) {
        return index >= 0 && method.op(index) instanceof InsnOp op && op.opcode() == Opcodes.ARRAYLENGTH;
    }
}
