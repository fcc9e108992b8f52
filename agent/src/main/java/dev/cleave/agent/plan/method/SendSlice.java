package dev.cleave.agent.plan.method;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What decides about some calls of a region: the ops to copy, and what must hold for the copy to be true.
 *
 * @param executed the ops that the copy consists of, branches included
 * @param looks those of them that are calls, whose results an earlier stage has
 * @param sends the calls that the copy sends, in the order of the list
 * @param checks what to test in front of a copied op; if it does not hold, the copy ends
 * @param banked the registers that the copy has for itself
 * @param copiedIn those of them that begin with the value of the program's
 * @param iterators iterators that the copy has for itself
 * @param tests what must hold at the entry
 */
public record SendSlice(
        Region region,
        BitSet executed,
        BitSet looks,
        List<Integer> sends,
        Map<Integer, List<Guard>> checks,
        Set<Register> banked,
        Set<Register> copiedIn,
        List<OwnIterator> iterators,
        List<EntryTest> tests) {}
