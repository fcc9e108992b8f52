package dev.cleave.agent.ir;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the definition within a basic block of each operand; null stands for a register that has a JVM slot.
 *
 * <p>Moves between two registers that live in the block alone vanish: ops that read the one read the other.
 */
final class BlockValues {

    private final List<Op> block;
    private final SlotTable slots;
    private final @Nullable BlockValue[] defined;
    private final @Nullable BlockValue[][] operands;
    private final boolean[] dropped;

    BlockValues(List<Op> block, SlotTable slots) {
        this.block = block;
        this.slots = slots;
        this.defined = new BlockValue[block.size()];
        this.operands = new BlockValue[block.size()][];
        this.dropped = new boolean[block.size()];
        resolve();
        for (BlockValue value : defined) {
            if (value != null) {
                place(value);
            }
        }
    }

    /** The value that an op defines, null if it writes a register with a slot or none. */
    @Nullable
    BlockValue defined(int index) {
        return defined[index];
    }

    /** The value behind each operand of an op, null where it is a register with a slot. */
    @Nullable
    BlockValue[] operands(int index) {
        return operands[index];
    }

    /** Whether an op needs no code. */
    boolean isDropped(int index) {
        return dropped[index];
    }

    private void resolve() {
        Map<Register, BlockValue> current = new HashMap<>();
        for (int i = 0; i < block.size(); i++) {
            Op op = block.get(i);
            List<Register> uses = op.uses();
            operands[i] = new BlockValue[uses.size()];
            for (int j = 0; j < uses.size(); j++) {
                operands[i][j] = slots.hasSlot(uses.get(j)) ? null : current.get(uses.get(j));
            }
            Register def = op.def();
            if (def == null || slots.hasSlot(def)) {
                count(i);
            } else if (op instanceof MoveOp && operands[i][0] != null) {
                current.put(def, operands[i][0]);
                dropped[i] = true;
            } else {
                count(i);
                BlockValue value = new BlockValue(op, def.kind(), i);
                defined[i] = value;
                current.put(def, value);
            }
        }
    }

    private void count(int index) {
        for (BlockValue value : operands[index]) {
            if (value != null) {
                value.uses++;
                value.lastUse = index;
            }
        }
    }

    private void place(BlockValue value) {
        if (value.def instanceof ConstOp constant) {
            value.remakeable = constant.isPlain();
        } else if (value.def instanceof MoveOp load) {
            value.remakeable = isUnchanged(load.use(), value);
        }
        if (value.uses == 0 && (value.def instanceof MoveOp || value.remakeable)) {
            dropped[value.defIndex] = true;
        }
        if (value.uses > 2) {
            demote(value);
        }
    }

    /** Takes a value off the operand stack. */
    void demote(BlockValue value) {
        if (value.remakeable) {
            value.placement = BlockValue.Placement.REMADE;
        } else {
            value.placement = BlockValue.Placement.SLOT;
            value.slot = slots.slotForBlock(value.kind);
        }
    }

    private boolean isUnchanged(Register source, BlockValue value) {
        for (int i = value.defIndex + 1; i < value.lastUse; i++) {
            Register def = block.get(i).def();
            if (def != null && def.overlaps(source)) {
                return false;
            }
        }
        return true;
    }
}
