package dev.cleave.agent.dataflow;

import dev.cleave.agent.flow.BasicBlock;
import dev.cleave.agent.flow.Loop;
import dev.cleave.agent.ir.BranchOp;
import dev.cleave.agent.ir.ConstOp;
import dev.cleave.agent.ir.InsnOp;
import dev.cleave.agent.ir.LabelOp;
import dev.cleave.agent.ir.MoveOp;
import dev.cleave.agent.ir.Op;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.ir.SwitchOp;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;

/**
 * A switch on patterns, to whose head a guard that fails goes back with the index of the next label.
 *
 * <p>{@code SwitchBootstraps.typeSwitch} gives the first label at or behind the index that matches. If each way back sets the index
 * to more than that of the label by which it came, the index grows in each pass, and a label is tried once at most.
 */
public final class PatternSwitch {

    /** The class of the bootstraps, JDK 21 and later. */
    public static final String BOOTSTRAPS = "java/lang/runtime/SwitchBootstraps";

    private final Loop loop;
    private final Function<Register, @Nullable Op> definitions;

    private PatternSwitch(Loop loop, Function<Register, @Nullable Op> definitions) {
        this.loop = loop;
        this.definitions = definitions;
    }

    /** Whether a site finds the first label of a switch on patterns that matches an object, at or behind an index. */
    public static boolean isSite(InvokeDynamicInsnNode site) {
        Type[] types = Type.getArgumentTypes(site.desc);
        return site.bsm.getOwner().equals(BOOTSTRAPS) && types.length == 2 && types[1] == Type.INT_TYPE;
    }

    /**
     * Whether a loop is such a switch, and certainly ends.
     *
     * @param definitions the op that alone writes a register, null if there is none
     */
    static boolean isOf(Loop loop, Function<Register, @Nullable Op> definitions) {
        return new PatternSwitch(loop, definitions).ends();
    }

    private boolean ends() {
        BasicBlock head = loop.header();
        if (!(head.last() instanceof SwitchOp choice)
                || !(definitions.apply(choice.uses().get(0)) instanceof InsnOp asked)
                || !head.ops().contains(asked)
                || asked.dynamic() == null
                || !isSite(asked.dynamic())
                || !(definitions.apply(asked.uses().get(1)) instanceof MoveOp read)
                || !head.ops().contains(read)) {
            return false;
        }
        Map<BasicBlock, Integer> indices = indices(read.use());
        if (indices == null || indices.containsKey(head)) {
            return false;
        }
        Set<BasicBlock> others = reached(List.of(block(head, choice.otherwise())), Set.of());
        others.addAll(reached(head.handlers(), Set.of()));
        for (int i = 0; i < choice.keys().size(); i++) {
            int key = choice.keys().get(i);
            for (BasicBlock back : reached(List.of(block(head, choice.cases().get(i))), Set.of())) {
                if (indices.containsKey(back) && (key < 0 || indices.get(back) <= key)) {
                    return false;
                }
            }
        }
        return others.stream().noneMatch(block -> block == head || indices.containsKey(block))
                && !reached(head.successors(), indices.keySet()).contains(head);
    }

    /** The constants that the index is set to in the loop, the least for each block; null if it is set to anything else. */
    private @Nullable Map<BasicBlock, Integer> indices(Register index) {
        Map<BasicBlock, Integer> found = new HashMap<>();
        for (BasicBlock block : loop.blocks()) {
            for (Op op : block.ops()) {
                if (op.def() == null || !op.def().overlaps(index)) {
                    continue;
                }
                Op value = op instanceof MoveOp move ? definitions.apply(move.use()) : op;
                if (op.def() != index
                        || !(value instanceof ConstOp constant)
                        || !(constant.value() instanceof Integer set)) {
                    return null;
                }
                found.merge(block, set, Math::min);
            }
        }
        return found;
    }

    private static BasicBlock block(BasicBlock head, LabelOp label) {
        return head.successors().stream()
                .filter(successor -> successor.first() == label)
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no block begins with " + label));
    }

    /**
     * The blocks of the loop that are reached within a pass, its head if they lead back to it.
     *
     * @param ends blocks that are reached, and left by exceptions alone
     */
    private Set<BasicBlock> reached(Collection<BasicBlock> from, Set<BasicBlock> ends) {
        Set<BasicBlock> seen = new HashSet<>();
        Deque<BasicBlock> work = new ArrayDeque<>(from);
        while (!work.isEmpty()) {
            BasicBlock at = work.remove();
            if (loop.contains(at) && seen.add(at) && at != loop.header()) {
                work.addAll(at.handlers());
                work.addAll(ends.contains(at) ? List.of() : successors(at));
            }
        }
        return seen;
    }

    /** Where a block goes on: compilers write branches on constants where a pattern matches everything. */
    private List<BasicBlock> successors(BasicBlock block) {
        if (!(block.last() instanceof BranchOp branch)
                || branch.uses().size() != 1
                || !(definitions.apply(branch.uses().get(0)) instanceof ConstOp constant)
                || !(constant.value() instanceof Integer value)
                || branch.opcode() != Opcodes.IFEQ && branch.opcode() != Opcodes.IFNE) {
            return block.successors();
        }
        boolean isTaken = (value == 0) == (branch.opcode() == Opcodes.IFEQ);
        return block.successors().stream()
                .filter(successor -> (successor.first() == branch.target()) == isTaken)
                .toList();
    }
}
