package dev.cleave.agent.plan;

/**
 * Why a call stays where it is.
 *
 * @param rule the rule of the specification, {@code R43}
 * @param line the source line that stands in the way, -1 if none is known
 * @param reason a sentence without its subject's line
 * @param advice the change that would free the call
 */
public record Refusal(String rule, int line, String reason, String advice) {

    /** The same at a line. */
    public Refusal at(int known) {
        return new Refusal(rule, known, reason, advice);
    }
}
