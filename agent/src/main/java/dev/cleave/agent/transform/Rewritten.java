package dev.cleave.agent.transform;

import dev.cleave.agent.plan.helper.HelperUse;
import dev.cleave.agent.plan.verdict.Verdict;
import java.util.List;
import java.util.Map;

/**
 * A class after rewriting.
 *
 * @param name its binary name
 * @param classFile the class file to use, the original one if nothing changed
 * @param changed whether anything changed
 * @param verdicts what became of the remote calls of each method, by name and descriptor
 * @param uses what becomes of the calls in helpers of other classes
 * @param defects what the agent failed on by a defect of its own, and left as written
 */
public record Rewritten(
        String name,
        byte[] classFile,
        boolean changed,
        Map<String, List<Verdict>> verdicts,
        List<HelperUse> uses,
        List<String> defects) {

    /** Copies the lists. */
    public Rewritten {
        uses = List.copyOf(uses);
        defects = List.copyOf(defects);
    }
}
