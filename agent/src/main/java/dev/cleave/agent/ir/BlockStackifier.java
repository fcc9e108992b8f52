package dev.cleave.agent.ir;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.IincInsnNode;
import org.objectweb.asm.tree.InsnList;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LabelNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.LookupSwitchInsnNode;
import org.objectweb.asm.tree.TableSwitchInsnNode;

/**
 * Turns one basic block into stack code.
 *
 * <h2>The idea</h2>
 *
 * <p>At first every value of the block is assumed to wait on the operand stack from its definition to its uses, pushed
 * once for each of at most two uses. The block is then run through with a model of the stack. If an op does not find
 * its operands on top, a value that is in the way is <em>demoted</em>: it is made again at its use if it is a constant
 * or a load, else kept in a local. The run is repeated until no value is demoted; javac's code comes out unchanged.
 */
final class BlockStackifier {

    private final List<Op> block;
    private final SlotTable slots;
    private final BlockValues values;
    private final Map<LabelOp, LabelNode> labels;
    private final List<BlockValue> stack = new ArrayList<>();
    private Instructions code;
    private boolean demoted;

    BlockStackifier(List<Op> block, SlotTable slots, Map<LabelOp, LabelNode> labels) {
        slots.beginBlock();
        this.block = block;
        this.slots = slots;
        this.labels = labels;
        this.values = new BlockValues(block, slots);
        this.code = new Instructions(labels);
    }

    /** The code of the block. */
    InsnList run() {
        do {
            demoted = false;
            stack.clear();
            code = new Instructions(labels);
            for (int i = 0; i < block.size(); i++) {
                if (!values.isDropped(i)) {
                    step(i);
                }
            }
        } while (demoted);
        return code.list();
    }

    private void step(int index) {
        Op op = block.get(index);
        if (op instanceof LabelOp label) {
            code.add(code.label(label));
        } else if (op instanceof LineOp line) {
            LabelNode start = new LabelNode();
            code.add(start);
            code.add(new LineNumberNode(line.line(), start));
        } else if (!isRemade(index) && !isIncrement(index)) {
            loadOperands(index);
            instruction(op);
            define(index);
        }
    }

    private boolean isRemade(int index) {
        BlockValue value = values.defined(index);
        return value != null && value.placement == BlockValue.Placement.REMADE;
    }

    private boolean isIncrement(int index) {
        Op op = block.get(index);
        Register def = op.def();
        if (op instanceof InsnOp insn
                && insn.insn() instanceof IincInsnNode node
                && def == op.uses().get(0)
                && slots.hasSlot(def)) {
            code.increment(slots.slotOf(def), node.incr);
            return true;
        }
        return false;
    }

    private void instruction(Op op) {
        if (op instanceof ConstOp constant) {
            code.push(constant.value());
        } else if (op instanceof InsnOp insn) {
            if (insn.insn() instanceof IincInsnNode node) {
                code.push(node.incr);
                code.add(Opcodes.IADD);
            } else {
                code.addCopy(insn.insn());
            }
        } else if (op instanceof GotoOp jump) {
            code.add(new JumpInsnNode(Opcodes.GOTO, code.label(jump.target())));
        } else if (op instanceof BranchOp branch) {
            code.add(new JumpInsnNode(branch.opcode(), code.label(branch.target())));
        } else if (op instanceof SwitchOp table) {
            addSwitch(table);
        } else if (op instanceof ReturnOp end) {
            Register use = end.use();
            code.add(use == null ? Opcodes.RETURN : use.kind().returnOpcode());
        } else if (op instanceof ThrowOp) {
            code.add(Opcodes.ATHROW);
        } else if (!(op instanceof MoveOp || op instanceof CatchOp)) {
            throw new AssertionError("op: " + op);
        }
    }

    private void addSwitch(SwitchOp table) {
        List<Integer> keys = table.keys();
        LabelNode[] cases = table.cases().stream().map(code::label).toArray(LabelNode[]::new);
        int count = keys.size();
        long span = count == 0 ? 0 : (long) keys.get(count - 1) - keys.get(0) + 1;
        LabelNode otherwise = code.label(table.otherwise());
        if (count > 0 && span == count) {
            code.add(new TableSwitchInsnNode(keys.get(0), keys.get(count - 1), otherwise, cases));
        } else {
            int[] numbers = keys.stream().mapToInt(Integer::intValue).toArray();
            code.add(new LookupSwitchInsnNode(otherwise, numbers, cases));
        }
    }

    private void define(int index) {
        Register def = block.get(index).def();
        if (def == null) {
            return;
        }
        BlockValue value = values.defined(index);
        if (value == null) {
            code.store(def.kind(), slots.slotOf(def));
        } else if (value.uses == 0) {
            code.pop(value.kind);
        } else if (value.onStack()) {
            stack.add(value);
            for (int i = 1; i < value.uses; i++) {
                code.dup(value.kind);
                stack.add(value);
            }
        } else {
            code.store(value.kind, value.slot);
        }
    }

    private void loadOperands(int index) {
        Op op = block.get(index);
        BlockValue[] operands = values.operands(index);
        if (needsSwap(op, operands)) {
            stack.remove(stack.size() - 1);
            load(op.uses().get(0), operands[0]);
            code.add(Opcodes.SWAP);
            return;
        }
        int pushed = matchStack(operands);
        for (int i = 0; i < pushed; i++) {
            stack.remove(stack.size() - 1);
        }
        for (int i = pushed; i < operands.length; i++) {
            load(op.uses().get(i), operands[i]);
        }
    }

    private boolean needsSwap(Op op, @Nullable BlockValue[] operands) {
        return operands.length == 2
                && !BlockValue.isOnStack(operands[0])
                && BlockValue.isOnStack(operands[1])
                && stack.get(stack.size() - 1) == operands[1]
                && op.uses().get(0).kind().size() == 1
                && op.uses().get(1).kind().size() == 1;
    }

    /** Demotes until the operands that wait on the stack are the first ones and lie on top; returns their number. */
    private int matchStack(@Nullable BlockValue[] operands) {
        while (true) {
            int leading = 0;
            while (leading < operands.length && BlockValue.isOnStack(operands[leading])) {
                leading++;
            }
            BlockValue obstacle = null;
            for (int i = leading; i < operands.length && obstacle == null; i++) {
                obstacle = BlockValue.isOnStack(operands[i]) ? operands[i] : null;
            }
            if (obstacle == null) {
                obstacle = obstacle(operands, leading);
            }
            if (obstacle == null) {
                return leading;
            }
            values.demote(obstacle);
            stack.removeAll(Collections.singleton(obstacle));
            demoted = true;
        }
    }

    private @Nullable BlockValue obstacle(@Nullable BlockValue[] operands, int leading) {
        if (leading == 0) {
            return null;
        }
        int bottom = stack.size() - leading;
        boolean matches = bottom >= 0;
        for (int i = 0; matches && i < leading; i++) {
            matches = stack.get(bottom + i) == operands[i];
        }
        if (matches) {
            return null;
        }
        BlockValue extra = null;
        int next = 0;
        for (int i = Math.max(0, stack.lastIndexOf(operands[0])); i < stack.size(); i++) {
            BlockValue value = stack.get(i);
            if (next < leading && value == operands[next]) {
                next++;
            } else if (extra == null || (value.remakeable && !extra.remakeable)) {
                extra = value;
            }
        }
        return extra != null && (next == leading || extra.remakeable) ? extra : operands[Math.min(next, leading - 1)];
    }

    private void load(Register register, @Nullable BlockValue value) {
        if (value == null) {
            code.load(register.kind(), slots.slotOf(register));
        } else if (value.placement == BlockValue.Placement.SLOT) {
            code.load(value.kind, value.slot);
        } else if (value.def instanceof ConstOp constant) {
            code.push(constant.value());
        } else {
            Register source = ((MoveOp) value.def).use();
            code.load(source.kind(), slots.slotOf(source));
        }
    }
}
