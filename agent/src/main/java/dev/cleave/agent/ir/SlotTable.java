package dev.cleave.agent.ir;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The JVM slots of registers: locals keep theirs, others get slots above all that the original used.
 *
 * <p>A register that occurs in one block only, and is written there before it is read, needs no slot of its own.
 */
final class SlotTable {

    private static final int CROSSES = -2;

    private final Map<Register, Integer> slots = new HashMap<>();
    private final int[] blockOf;
    private final Map<RegisterKind, List<Integer>> pool = new EnumMap<>(RegisterKind.class);
    private final Map<RegisterKind, Integer> taken = new EnumMap<>(RegisterKind.class);
    private int next;

    SlotTable(MethodBody body, List<List<Op>> blocks) {
        next = body.original().maxLocals;
        blockOf = new int[body.registers().size()];
        Arrays.fill(blockOf, -1);
        for (int block = 0; block < blocks.size(); block++) {
            for (Op op : blocks.get(block)) {
                for (Register use : op.uses()) {
                    if (blockOf[use.number()] != block) {
                        blockOf[use.number()] = CROSSES;
                    }
                }
                Register def = op.def();
                if (def != null) {
                    int seen = blockOf[def.number()];
                    blockOf[def.number()] = seen == -1 || seen == block ? block : CROSSES;
                }
            }
        }
        for (Register register : body.registers()) {
            if (register.isLocal()) {
                next = Math.max(next, register.position() + register.kind().size());
            }
        }
    }

    /** Whether a register lives in a JVM local throughout. */
    boolean hasSlot(Register register) {
        return register.isLocal() || blockOf[register.number()] == CROSSES;
    }

    /** The slot of a register that has one. */
    int slotOf(Register register) {
        return register.isLocal() ? register.position() : slots.computeIfAbsent(register, r -> allocate(r.kind()));
    }

    /** Forgets the slots given for the block before. */
    void beginBlock() {
        taken.clear();
    }

    /**
     * A slot for a value of this block. Slots of numbers are reused in the next block. Slots of references are not:
     * otherwise the verifier would have to merge the types of two unrelated dead values.
     */
    int slotForBlock(RegisterKind kind) {
        if (kind == RegisterKind.REFERENCE) {
            return allocate(kind);
        }
        List<Integer> known = pool.computeIfAbsent(kind, k -> new ArrayList<>());
        int index = taken.merge(kind, 1, Integer::sum) - 1;
        if (index == known.size()) {
            known.add(allocate(kind));
        }
        return known.get(index);
    }

    /** The number of slots in use. */
    int size() {
        return next;
    }

    private int allocate(RegisterKind kind) {
        int slot = next;
        next += kind.size();
        return slot;
    }
}
