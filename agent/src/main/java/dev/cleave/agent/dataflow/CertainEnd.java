package dev.cleave.agent.dataflow;

import dev.cleave.agent.dataflow.Counting.Range;
import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.ControlFlowGraph;
import dev.cleave.agent.flow.Dominators;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.flow.LoopNest;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.Handler;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.MethodBody;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.FieldInsnNode;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.MethodInsnNode;

/**
 * Proves that a loop ends if the loops inside it do (R11, R18).
 *
 * <p>Either it counts: one step of an int local, or one more of a long local, the only write to it in the loop, runs once in
 * each pass, and a comparison with a limit that the loop does not change runs in each pass, leaves the loop once the counter has passed
 * the limit, and is reached before the counter can overflow ({@link Ranges}). Or it asks an iterator: in each pass
 * {@code hasNext()} decides whether the loop is left, and {@code next()} is called on the same iterator. The caller
 * must check the classes of iterators. Or it is a {@linkplain PatternSwitch switch on patterns} whose guards go on to the next label.
 */
public final class CertainEnd {

    private static final int DEEPEST = 8;

    /** Methods that leave the size of their object as it is. */
    private static final Set<String> KEEPING = Set.of(
            "size",
            "length",
            "isEmpty",
            "get",
            "getOrDefault",
            "charAt",
            "contains",
            "containsKey",
            "indexOf",
            "substring",
            "startsWith",
            "equals",
            "hashCode",
            "toString",
            "intValue",
            "set");

    private final Loop loop;
    private final Set<Op> ops = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<Register, List<Op>> written = new HashMap<>();
    private final Ranges ranges;

    private CertainEnd(MethodBody body, Loop loop) {
        this.loop = loop;
        loop.blocks().forEach(block -> ops.addAll(block.ops()));
        for (Op op : body.ops()) {
            Register def = op.def();
            if (def != null) {
                written.computeIfAbsent(def, key -> new ArrayList<>()).add(op);
            }
        }
        this.ranges = new Ranges(body, loop, ops, written);
    }

    /** Whether a loop of a body certainly ends if the loops inside it do. */
    public static boolean isOf(MethodBody body, Loop loop) {
        CertainEnd proof = new CertainEnd(body, loop);
        return proof.counts() || proof.iterates() || PatternSwitch.isOf(loop, proof::definition);
    }

    /** Whether every run of a body certainly ends, if the methods that it calls do. */
    public static boolean isOfAll(MethodBody body) {
        for (Handler handler : body.handlers()) {
            if (body.indexOf(handler.target()) < body.indexOf(handler.start())) {
                return false; // an exception may lead back
            }
        }
        ControlFlowGraph graph = ControlFlowGraph.of(body);
        LoopNest nest = LoopNest.of(graph, Dominators.of(graph));
        return nest.reducible() && nest.loops().stream().allMatch(loop -> isOf(body, loop));
    }

    private boolean counts() {
        for (Op op : ops) {
            if (op instanceof MoveOp store
                    && isLongStep(store)
                    && isOnlyWrite(store, store.def())
                    && isInEachPass(store)
                    && !isRepeated(store)
                    && isComparedLong(store)) {
                return true;
            }
            if (op instanceof InsnOp step
                    && step.opcode() == Opcodes.IINC
                    && step.def() != null
                    && step.def() == step.uses().get(0)
                    && isOnlyWrite(step, step.def())
                    && isInEachPass(step)
                    && !isRepeated(step)
                    && isCompared(step.def(), ((IincInsnNode) step.insn()).incr)) {
                return true;
            }
        }
        return false;
    }

    private boolean isOnlyWrite(@Nullable Op step, Register register) {
        for (Op op : ops) {
            Register def = op.def();
            if (op != step && def != null && def.overlaps(register)) {
                return false;
            }
        }
        return true;
    }

    private boolean isCompared(Register counter, int step) {
        for (BasicBlock block : loop.blocks()) {
            if (!(block.last() instanceof BranchOp branch)) {
                continue;
            }
            int goesOn = goesOn(block, branch);
            boolean isWithZero = goesOn >= Opcodes.IFLT && goesOn <= Opcodes.IFLE;
            if (isWithZero
                    && definition(branch.uses().get(0)) instanceof InsnOp longs
                    && longs.opcode() == Opcodes.LCMP) {
                if (isBelowLong(step, goesOn, longs, counter) && isInEachPass(branch)) {
                    return true;
                }
            } else if (isWithZero) {
                int compared = goesOn - Opcodes.IFLT + Opcodes.IF_ICMPLT;
                if (holds(branch.uses().get(0), counter)
                        && Counting.ends(step, compared, Range.of(0))
                        && isInEachPass(branch)) {
                    return true;
                }
            } else if (goesOn >= Opcodes.IF_ICMPLT && goesOn <= Opcodes.IF_ICMPLE) {
                Register left = branch.uses().get(0);
                Register right = branch.uses().get(1);
                boolean isBelow = isBelow(step, goesOn, left, right, counter)
                        || isBelow(step, Counting.swapped(goesOn), right, left, counter);
                if (isBelow && isInEachPass(branch)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether an op stores a long local that has grown by one. */
    private boolean isLongStep(MoveOp store) {
        return store.def().isLocal()
                && definition(store.use()) instanceof InsnOp sum
                && sum.opcode() == Opcodes.LADD
                && holds(sum.uses().get(0), store.def())
                && definition(sum.uses().get(1)) instanceof ConstOp one
                && Long.valueOf(1).equals(one.value());
    }

    /** Whether the loop goes on only while a long that grows by one is less than a limit, which it reaches before it overflows. */
    private boolean isComparedLong(MoveOp store) {
        for (BasicBlock block : loop.blocks()) {
            if (block.last() instanceof BranchOp branch
                    && branch.uses().size() == 1
                    && definition(branch.uses().get(0)) instanceof InsnOp compared
                    && compared.opcode() == Opcodes.LCMP) {
                int goesOn = goesOn(block, branch);
                Register left = compared.uses().get(0);
                Register right = compared.uses().get(1);
                boolean isBelow = goesOn == Opcodes.IFLT && holds(left, store.def()) && isUnchanged(right, 0)
                        || goesOn == Opcodes.IFGT && holds(right, store.def()) && isUnchanged(left, 0);
                if (isBelow && isInEachPass(branch)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether a loop goes on only while an int that is stepped compares with a long limit, which has the range of an int. */
    private boolean isBelowLong(int step, int goesOn, InsnOp compared, Register counter) {
        Register left = compared.uses().get(0);
        Register right = compared.uses().get(1);
        int comparison = goesOn - Opcodes.IFLT + Opcodes.IF_ICMPLT;
        return isBelowLong(step, comparison, left, right, counter)
                || isBelowLong(step, Counting.swapped(comparison), right, left, counter);
    }

    private boolean isBelowLong(int step, int goesOn, Register left, Register limit, Register counter) {
        Range range = definition(left) instanceof InsnOp widened
                        && widened.opcode() == Opcodes.I2L
                        && holds(widened.uses().get(0), counter)
                        && isUnchanged(limit, 0)
                ? ranges.ofLong(limit)
                : null;
        return range != null && Counting.ends(step, goesOn, range);
    }

    private boolean isBelow(int step, int goesOn, Register left, Register limit, Register counter) {
        return holds(left, counter) && isUnchanged(limit, 0) && Counting.ends(step, goesOn, ranges.of(limit));
    }

    /** The condition under which a branch stays in the loop, -1 if it does not leave it. */
    private int goesOn(BasicBlock block, BranchOp branch) {
        boolean staysByJump = false;
        boolean leavesByJump = false;
        boolean leavesElse = false;
        boolean staysElse = false;
        for (BasicBlock successor : block.successors()) {
            boolean isJump = successor.ops().contains(branch.target());
            boolean stays = loop.contains(successor);
            staysByJump |= isJump && stays;
            leavesByJump |= isJump && !stays;
            staysElse |= !isJump && stays;
            leavesElse |= !isJump && !stays;
        }
        if (staysByJump && leavesElse) {
            return branch.opcode();
        }
        return leavesByJump && staysElse ? negated(branch.opcode()) : -1;
    }

    static int negated(int opcode) {
        if (opcode >= Opcodes.IFLT && opcode <= Opcodes.IFLE) {
            int shift = Opcodes.IF_ICMPLT - Opcodes.IFLT;
            return Counting.negated(opcode + shift) - shift;
        }
        return Counting.negated(opcode);
    }

    /** Whether a register holds the value of a local in this pass. */
    private boolean holds(Register register, Register local) {
        if (register == local) {
            return true;
        }
        return definition(register) instanceof MoveOp move && ops.contains(move) && holds(move.use(), local);
    }

    /** The only op that writes a register other than a local, null if there are several. */
    private @Nullable Op definition(Register register) {
        return register.isLocal() ? null : onlyWrite(register);
    }

    private @Nullable Op onlyWrite(Register register) {
        List<Op> all = written.getOrDefault(register, List.of());
        return all.size() == 1 ? all.get(0) : null;
    }

    private boolean isUnchanged(Register register, int depth) {
        if (register.isLocal()) {
            return isOnlyWrite(null, register);
        }
        Op made = definition(register);
        if (made == null || depth > DEEPEST) {
            return false;
        }
        if (!ops.contains(made) || made instanceof ConstOp) {
            return true;
        }
        for (Register use : made.uses()) {
            if (!isUnchanged(use, depth + 1)) {
                return false;
            }
        }
        return made instanceof MoveOp || made instanceof InsnOp insn && isPlain(insn);
    }

    /** Whether an op gives the same result for the same operands in each pass. */
    private boolean isPlain(InsnOp op) {
        MethodInsnNode call = op.method();
        if (call != null) {
            boolean isSize = call.desc.equals("()I")
                    && (call.name.equals("size") || call.name.equals("length") || call.name.equals("intValue"));
            return call.owner.equals("java/lang/Math")
                    || isSize
                            && call.owner.startsWith("java/")
                            && isKept(op.uses().get(0));
        }
        FieldInsnNode field = op.field();
        if (field != null) {
            return ops.stream().noneMatch(other -> writes(other, field));
        }
        int opcode = op.opcode();
        if (opcode == Opcodes.AALOAD) { // a row of an array of arrays
            return ops.stream().noneMatch(other -> other instanceof InsnOp insn && insn.opcode() == Opcodes.AASTORE);
        }
        return opcode == Opcodes.ARRAYLENGTH || opcode >= Opcodes.IADD && opcode <= Opcodes.DCMPG;
    }

    private static boolean writes(Op op, FieldInsnNode field) {
        return op instanceof InsnOp insn
                && (insn.opcode() == Opcodes.PUTFIELD || insn.opcode() == Opcodes.PUTSTATIC)
                && insn.field() != null
                && insn.field().name.equals(field.name)
                && insn.field().desc.equals(field.desc);
    }

    /** Whether the loop does not change the size of an object through this register. */
    private boolean isKept(Register object) {
        Register root = root(object);
        for (Op op : ops) {
            if (op instanceof InsnOp insn
                    && insn.method() != null
                    && !KEEPING.contains(insn.method().name)
                    && insn.uses().stream().anyMatch(use -> root(use) == root)) {
                return false;
            }
        }
        return true;
    }

    private Register root(Register register) {
        Register at = register;
        for (int i = 0; i < DEEPEST && definition(at) instanceof MoveOp move; i++) {
            at = move.use();
        }
        return at;
    }

    private boolean iterates() {
        for (BasicBlock block : loop.blocks()) {
            if (block.last() instanceof BranchOp branch
                    && goesOn(block, branch) == Opcodes.IFNE
                    && definition(branch.uses().get(0)) instanceof InsnOp asked
                    && ops.contains(asked)
                    && isCall(asked, "hasNext")
                    && isInEachPass(branch)
                    && isInEachPass(asked)
                    && isAdvanced(root(asked.uses().get(0)))) {
                return true;
            }
        }
        return false;
    }

    private boolean isAdvanced(Register iterator) {
        if (!isUnchanged(iterator, 0)) {
            return false;
        }
        boolean found = false;
        for (Op op : ops) {
            if (op instanceof InsnOp insn && insn.method() != null) {
                if (insn.method().name.equals("previous")) {
                    return false;
                }
                found |= isCall(insn, "next") && root(insn.uses().get(0)) == iterator && isInEachPass(insn);
            }
        }
        return found;
    }

    private static boolean isCall(InsnOp op, String name) {
        MethodInsnNode call = op.method();
        return call != null
                && call.name.equals(name)
                && (call.owner.equals("java/util/Iterator") || call.owner.equals("java/util/ListIterator"));
    }

    /** Whether every pass that returns to the header has completed an op. */
    private boolean isInEachPass(Op op) {
        return !comesTo(loop.header(), loop.header(), op);
    }

    /** Whether an op can run twice in a pass. */
    private boolean isRepeated(Op op) {
        for (BasicBlock block : loop.blocks()) {
            if (block.ops().contains(op)) {
                return block != loop.header() && comesAgain(block);
            }
        }
        return true;
    }

    private boolean comesAgain(BasicBlock from) {
        Deque<BasicBlock> work = new ArrayDeque<>(from.allSuccessors());
        Set<BasicBlock> seen = new HashSet<>();
        while (!work.isEmpty()) {
            BasicBlock at = work.remove();
            if (at == from) {
                return true;
            }
            if (at != loop.header() && loop.contains(at) && seen.add(at)) {
                work.addAll(at.allSuccessors());
            }
        }
        return false;
    }

    private boolean comesTo(BasicBlock target, BasicBlock from, Op without) {
        Deque<BasicBlock> work = new ArrayDeque<>();
        work.add(from);
        Set<BasicBlock> seen = new HashSet<>();
        while (!work.isEmpty()) {
            BasicBlock at = work.remove();
            if (!seen.add(at)) {
                continue;
            }
            boolean passes = !at.ops().contains(without);
            boolean throwsBefore = passes || throwsUpTo(at, without);
            List<BasicBlock> next = new ArrayList<>(passes ? at.successors() : List.of());
            next.addAll(throwsBefore ? at.handlers() : List.of());
            for (BasicBlock successor : next) {
                if (successor == target) {
                    return true;
                }
                if (loop.contains(successor)) {
                    work.add(successor);
                }
            }
        }
        return false;
    }

    private static boolean throwsUpTo(BasicBlock block, Op last) {
        for (Op op : block.ops()) {
            if (op.mayThrow()) {
                return true;
            }
            if (op == last) {
                return false;
            }
        }
        return false;
    }
}
