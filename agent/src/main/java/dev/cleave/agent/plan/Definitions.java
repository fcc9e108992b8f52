package dev.cleave.agent.plan;

import dev.cleave.agent.ir.Register;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Which definitions of a register may be its value before an op of a region.
 *
 * <p>Looked up backwards from the op and kept: most registers are temporaries, whose definition stands a few ops above,
 * so this is far cheaper than the sets of all definitions at all ops.
 */
final class Definitions {

    private final OpGraph graph;
    private final int entry;
    private final BitSet ops;
    private final Set<Register> written = new HashSet<>();
    private final Map<Long, BitSet> known = new HashMap<>();

    Definitions(OpGraph graph, int entry, BitSet ops) {
        this.graph = graph;
        this.entry = entry;
        this.ops = ops;
        for (int i = ops.nextSetBit(0); i >= 0; i = ops.nextSetBit(i + 1)) {
            Register def = graph.op(i).def();
            if (def != null) {
                written.add(def);
            }
        }
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
            return written.contains(register);
        }
        for (Register other : written) {
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
        Deque<Integer> work = new ArrayDeque<>();
        work.push(index);
        while (!work.isEmpty()) {
            int at = work.pop();
            if (seen.get(at)) {
                continue;
            }
            seen.set(at);
            if (at == entry) {
                result.set(outside(register));
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
}
