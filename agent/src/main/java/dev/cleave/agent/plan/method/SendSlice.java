package dev.cleave.agent.plan.method;

import dev.cleave.agent.effect.Guard;
import dev.cleave.agent.ir.Register;
import dev.cleave.agent.plan.analysis.Region;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The code that decides about some calls of a region: the ops to copy, and the tests without which the copy would be
 * wrong.
 *
 * @param executed the ops that the copy consists of, branches included
 * @param looks the calls among {@code executed}, whose results an earlier stage has
 * @param sends the calls that the copy sends, in the order of the list
 * @param checks the tests in front of copied ops; if one does not hold, the copy ends
 * @param banked the registers that the copy has for itself
 * @param copiedIn the registers among {@code banked} that begin with the value of the program's register
 * @param iterators iterators that the copy has for itself
 * @param tests the tests at the entry; nothing is sent if one does not hold
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
