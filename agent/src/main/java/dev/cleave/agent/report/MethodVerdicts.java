package dev.cleave.agent.report;

import dev.cleave.agent.plan.Verdict;
import java.util.List;

/**
 * The verdicts of one method.
 *
 * @param type the binary name of its class
 * @param method its name
 * @param verdicts in the order of the code
 */
public record MethodVerdicts(String type, String method, List<Verdict> verdicts) {

    /** Copies the list. */
    public MethodVerdicts {
        verdicts = List.copyOf(verdicts);
    }
}
