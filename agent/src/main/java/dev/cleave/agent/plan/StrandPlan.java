package dev.cleave.agent.plan;

import dev.cleave.agent.ir.Register;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.Type;

/**
 * A nest of loops whose calls are sent ahead by strands, which wait for results (R71).
 *
 * @param region the outermost loop, for one pass through it
 * @param strands what runs ahead, each behind those whose results it looks at
 * @param windows the most calls in flight, by call in the order of {@link #sends()}
 */
public record StrandPlan(Region region, List<Strand> strands, List<Integer> windows) {

    /**
     * A copy of what decides about some calls.
     *
     * @param kept by each place where it may stop what it keeps there, with the types of objects
     * @param fixed what it reads of the program's and never writes, with the types of objects
     */
    public record Strand(SendSlice slice, Map<Integer, Map<Register, Type>> kept, Map<Register, Type> fixed) {

        public Strand {
            kept = InOrder.copyOf(kept);
            fixed = InOrder.copyOf(fixed);
        }
    }

    public StrandPlan {
        strands = List.copyOf(strands);
        windows = List.copyOf(windows);
    }

    /** All calls that are sent ahead, by strands; the place in the list is the row of the call. */
    public List<Integer> sends() {
        List<Integer> sends = new ArrayList<>();
        strands.forEach(strand -> sends.addAll(strand.slice().sends()));
        return sends;
    }

    /** What must hold at the entry. */
    public List<EntryTest> tests() {
        return strands.stream()
                .flatMap(strand -> strand.slice().tests().stream())
                .distinct()
                .toList();
    }
}
