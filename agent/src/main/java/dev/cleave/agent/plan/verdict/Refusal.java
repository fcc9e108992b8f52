package dev.cleave.agent.plan.verdict;

import dev.cleave.agent.rule.Rule;

/**
 * Why a call stays where it is.
 *
 * @param rule the rule of the specification
 * @param line the source line that stands in the way, -1 if none is known
 * @param reason a sentence without its subject's line
 * @param advice the change that would free the call
 */
public record Refusal(Rule rule, int line, String reason, String advice) {

    /** Why calls of methods without a call style are sequential. */
    public static final String NO_STYLE = "the method has no call style that allows it to move";

    /** Returns the same refusal at a source line. */
    public Refusal at(int known) {
        return new Refusal(rule, known, reason, advice);
    }
}
