package dev.cleave.agent.report;

import dev.cleave.agent.plan.verdict.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

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

    /**
     * The verdicts of a class.
     *
     * @param verdicts by name and descriptor of the method
     */
    public static List<MethodVerdicts> of(String type, Map<String, List<Verdict>> verdicts) {
        List<MethodVerdicts> methods = new ArrayList<>();
        verdicts.forEach((key, of) -> methods.add(new MethodVerdicts(type, key.substring(0, key.indexOf('(')), of)));
        return methods;
    }
}
