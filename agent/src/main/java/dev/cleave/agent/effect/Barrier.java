package dev.cleave.agent.effect;

import dev.cleave.agent.rule.Rule;

/**
 * The reason why no call may be sent across an op.
 *
 * @param kind the kind of effect
 * @param what the op in the words of the source, for the report
 */
public record Barrier(Kind kind, String what) {

    /** The kinds of effects that calls do not cross, each with its rule and the change that would free the call. */
    public enum Kind {
        UNKNOWN_CALL(
                Rule.R43,
                "calls code that the agent does not know",
                "make the method private, static or final, or move the call out of the way"),
        UNKNOWN_JDK_CALL(
                Rule.R43, "is a method of the JDK that the agent does not know", "move it before or behind the calls"),
        SYNC_CALL(
                Rule.R10, "is a remote call without a call style", "mark the remote method @Async, @ReadOnly or @Pure"),
        CHAINED_CALL(Rule.R49, "is a call of a chain, which others do not overlap", "give both calls the same style"),
        ONE_WAY_CALL(Rule.R70, "is a one-way call, which others do not overlap", "move it before or behind the calls"),
        SYNCHRONISATION(Rule.R10, "synchronises with other threads", "move it before or behind the calls"),
        INPUT_OUTPUT(Rule.R10, "reads or writes files, the network or processes", "move it before or behind the calls"),
        TIME(Rule.R10, "reads the clock or a source of randomness", "move it before or behind the calls"),
        CLASS_INITIALISATION(
                Rule.R14, "may initialise a class whose initialiser has effects", "use the class once before"),
        MAY_NOT_RETURN(Rule.R11, "may not return", "give the loop a counter"),
        LOCAL_RECEIVER(
                Rule.R3,
                "may be served by a local object here, whose effects are not known",
                "give both calls the same style, and call through a variable that does not change here");

        private final Rule rule;
        private final String phrase;
        private final String advice;

        Kind(Rule rule, String phrase, String advice) {
            this.rule = rule;
            this.phrase = phrase;
            this.advice = advice;
        }

        /** The rule of the specification. */
        public Rule rule() {
            return rule;
        }

        /** The predicate of a sentence about the op. */
        public String phrase() {
            return phrase;
        }

        /** The change that would free the call. */
        public String advice() {
            return advice;
        }
    }
}
