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

    /** Advice for a call of a method without a call style that has other calls, or a loop, to overlap with. */
    public static final String ADD_STYLE = "mark it @Async, or set its style in the application file";

    /** Advice for a call of a method without a call style that would stay where it is with one. */
    private static final String MOVE_AND_ADD_STYLE = "put it beside another call, or into a loop, and mark it @Async";

    /** Whether the method of the call has no call style that allows the call to move. */
    public boolean isWithoutStyle() {
        return reason.equals(NO_STYLE);
    }

    /** Returns the same refusal of a call that would stand alone with a style. */
    public Refusal ofLoneCall() {
        return new Refusal(rule, line, reason, MOVE_AND_ADD_STYLE);
    }

    /** Returns the same refusal at a source line. */
    public Refusal at(int known) {
        return new Refusal(rule, known, reason, advice);
    }
}
