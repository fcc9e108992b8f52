package dev.cleave.agent.dataflow;

import dev.cleave.agent.dataflow.Counting.Range;
import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Computes the range of an int of a loop, or of a long that has the range of one.
 *
 * <p>Known are constants, lengths and sizes, values that the JVM cuts to fewer bits (a cast, an element or a field of a
 * small type; not a parameter, which the JVM does not check), and values computed from those. A test that every way to
 * the loop passes also bounds a local that is not written between the test and the end of the loop: {@code j <= i} ends
 * after {@code i < n}, since {@code i} is then less than the greatest int.
 */
final class Ranges {

    private static final int DEEPEST = 8;

    private final MethodBody body;
    private final Loop loop;
    private final Set<Op> ops;
    private final Map<Register, List<Op>> written;

    /**
     * Creates the ranges of a loop.
     *
     * @param ops the ops of the loop
     * @param written the ops that write each register
     */
    Ranges(MethodBody body, Loop loop, Set<Op> ops, Map<Register, List<Op>> written) {
        this.body = body;
        this.loop = loop;
        this.ops = ops;
        this.written = written;
    }

    /** The range of a register that the loop does not change, when an op of the loop reads it. */
    Range of(Register register) {
        return of(register, 0, true);
    }

    /**
     * The range of a register from which another one is computed.
     *
     * @param isRead whether the loop reads it, and not code in front of the loop
     */
    private Range of(Register register, int depth, boolean isRead) {
        Op made = body.parameters().contains(register) ? null : onlyWrite(register);
        Range known = made == null || depth > DEEPEST ? Counting.ANY : made(made, depth, isRead && ops.contains(made));
        return isRead && register.isLocal() && depth <= DEEPEST ? known.and(tested(register, depth)) : known;
    }

    /** The range of a long that is known to have only values of ints, null for others. */
    @Nullable
    Range ofLong(Register register) {
        return ofLong(register, 0);
    }

    private @Nullable Range ofLong(Register register, int depth) {
        Op made = body.parameters().contains(register) || depth > DEEPEST ? null : onlyWrite(register);
        if (made instanceof ConstOp constant && constant.value() instanceof Long value) {
            return value == value.intValue() ? Range.of(value) : null;
        }
        if (made instanceof MoveOp move) {
            return ofLong(move.use(), depth + 1);
        }
        if (made instanceof InsnOp op && op.opcode() == Opcodes.I2L) {
            return of(op.uses().get(0), depth + 1, ops.contains(op));
        }
        if (made instanceof InsnOp op && op.opcode() == Opcodes.LAND) {
            for (Register use : op.uses()) {
                Range mask = ofLong(use, depth + 1);
                if (mask != null && mask.least() >= 0) {
                    return new Range(0, mask.most());
                }
            }
        }
        return null;
    }

    private Range made(Op made, int depth, boolean isRead) {
        if (made instanceof ConstOp constant && constant.value() instanceof Integer value) {
            return Range.of(value);
        }
        if (made instanceof MoveOp move) {
            return of(move.use(), depth + 1, isRead);
        }
        if (!(made instanceof InsnOp op)) {
            return Counting.ANY;
        }
        MethodInsnNode call = op.method();
        if (call != null) {
            return call(call);
        }
        FieldInsnNode field = op.field();
        if (field != null) {
            return ofType(field.desc);
        }
        return switch (op.opcode()) {
            case Opcodes.ARRAYLENGTH -> new Range(0, Counting.LONGEST);
            case Opcodes.I2B, Opcodes.BALOAD -> ofType("B");
            case Opcodes.I2S, Opcodes.SALOAD -> ofType("S");
            case Opcodes.I2C, Opcodes.CALOAD -> ofType("C");
            case Opcodes.IADD ->
                of(op.uses().get(0), depth + 1, isRead).plus(of(op.uses().get(1), depth + 1, isRead));
            case Opcodes.ISUB ->
                of(op.uses().get(0), depth + 1, isRead).minus(of(op.uses().get(1), depth + 1, isRead));
            case Opcodes.IAND ->
                masked(of(op.uses().get(0), depth + 1, isRead), of(op.uses().get(1), depth + 1, isRead));
            default -> Counting.ANY;
        };
    }

    private static Range call(MethodInsnNode call) {
        if (call.owner.equals("java/lang/String") && call.name.equals("length")) {
            return new Range(0, Counting.LONGEST);
        }
        boolean isSize = call.owner.startsWith("java/util/") && call.name.equals("size");
        return isSize ? new Range(0, Integer.MAX_VALUE) : Counting.ANY;
    }

    private static Range ofType(String descriptor) {
        return switch (descriptor) {
            case "B" -> new Range(Byte.MIN_VALUE, Byte.MAX_VALUE);
            case "S" -> new Range(Short.MIN_VALUE, Short.MAX_VALUE);
            case "C" -> new Range(0, Character.MAX_VALUE);
            default -> Counting.ANY;
        };
    }

    /** The range of a bitwise "and": at most a non-negative operand. */
    private static Range masked(Range left, Range right) {
        long most = Math.min(
                left.least() >= 0 ? left.most() : Integer.MAX_VALUE,
                right.least() >= 0 ? right.most() : Integer.MAX_VALUE);
        return left.least() >= 0 || right.least() >= 0 ? new Range(0, most) : Counting.ANY;
    }

    /** The range of a local that the loop does not change, by the tests that every way to the loop passes. */
    private Range tested(Register local, int depth) {
        Range range = Counting.ANY;
        for (Op test : body.ops()) {
            if (test instanceof BranchOp branch && !ops.contains(test) && isOrder(branch) && asks(branch, local)) {
                BasicBlock block = blockOf(branch);
                Range passed = block == null ? Counting.ANY : passed(block, branch, local, depth);
                range = range.and(passed);
            }
        }
        return range;
    }

    private static boolean isOrder(BranchOp branch) {
        int opcode = branch.opcode();
        return isWithZero(opcode) || opcode >= Opcodes.IF_ICMPLT && opcode <= Opcodes.IF_ICMPLE;
    }

    private static boolean isWithZero(int opcode) {
        return opcode >= Opcodes.IFLT && opcode <= Opcodes.IFLE;
    }

    private boolean asks(BranchOp branch, Register local) {
        for (Register use : branch.uses()) {
            if (use == local || onlyWrite(use) instanceof MoveOp move && move.use() == local) {
                return true;
            }
        }
        return false;
    }

    /**
     * The range of a local on the edge of a branch that leads to the loop; any value if both edges or none lead there.
     */
    private Range passed(BasicBlock block, BranchOp branch, Register local, int depth) {
        int opcode = branch.opcode();
        boolean isZero = isWithZero(opcode);
        if (block.successors().size() != 2) {
            return Counting.ANY;
        }
        Register left = branch.uses().get(0);
        Register right = isZero ? null : branch.uses().get(1);
        boolean isLeft = holds(left, local, block);
        if (!isLeft && (right == null || !holds(right, local, block))) {
            return Counting.ANY;
        }
        for (BasicBlock way : block.successors()) {
            if (way.allPredecessors().size() == 1 && isOnEachWay(way, local)) {
                int known = way.ops().contains(branch.target()) ? opcode : CertainEnd.negated(opcode);
                int compared = isZero ? known - Opcodes.IFLT + Opcodes.IF_ICMPLT : known;
                Register other = isLeft ? right : left;
                Range limit = other == null ? Range.of(0) : of(other, depth + 1, false);
                return Counting.passing(isLeft ? compared : Counting.swapped(compared), limit);
            }
        }
        return Counting.ANY;
    }

    /** Whether a register holds the value of a local at the end of a block. */
    private boolean holds(Register register, Register local, BasicBlock block) {
        if (register == local) {
            return true;
        }
        Op made = register.isLocal() ? null : onlyWrite(register);
        int at =
                made instanceof MoveOp move && move.use() == local ? block.ops().indexOf(made) : -1;
        return at >= 0 && block.ops().subList(at, block.ops().size()).stream().noneMatch(op -> writes(op, local));
    }

    /** Whether every way to the loop passes a block, and no op after it writes a local. */
    private boolean isOnEachWay(BasicBlock way, Register local) {
        Set<BasicBlock> seen = new HashSet<>(Set.of(way));
        Deque<BasicBlock> work = new ArrayDeque<>();
        if (seen.add(loop.header())) {
            work.add(loop.header());
        }
        while (!work.isEmpty()) {
            BasicBlock at = work.remove();
            if (at.ops().contains(body.ops().get(0))) {
                return false; // from the beginning, without the test
            }
            for (BasicBlock before : at.allPredecessors()) {
                if (seen.add(before)) {
                    work.add(before);
                }
            }
        }
        return seen.stream().noneMatch(block -> block.ops().stream().anyMatch(op -> writes(op, local)));
    }

    private static boolean writes(Op op, Register local) {
        Register def = op.def();
        return def != null && def.overlaps(local);
    }

    private @Nullable BasicBlock blockOf(Op op) {
        Deque<BasicBlock> work = new ArrayDeque<>(List.of(loop.header()));
        Set<BasicBlock> seen = new HashSet<>(work);
        while (!work.isEmpty()) {
            BasicBlock at = work.remove();
            if (at.ops().contains(op)) {
                return at;
            }
            for (BasicBlock before : at.allPredecessors()) {
                if (seen.add(before)) {
                    work.add(before);
                }
            }
        }
        return null;
    }

    private @Nullable Op onlyWrite(Register register) {
        List<Op> all = written.getOrDefault(register, List.of());
        return all.size() == 1 ? all.get(0) : null;
    }
}
