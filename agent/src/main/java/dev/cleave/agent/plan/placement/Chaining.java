package dev.cleave.agent.plan.placement;

/** Whether calls that are sent ahead run in their order, and none behind a failure (R49). */
public enum Chaining {
    /** They do not, unless they are given results of each other. */
    NONE,
    /** The server of their one stub sees to it. */
    OF_ONE_STUB,
    /** The servers of their stubs see to it: each runs a call only when it knows that the one before it has succeeded. */
    OF_SEVERAL_STUBS;

    /** Says how calls are chained. */
    public static Chaining of(boolean isChained, boolean isOfOneStub) {
        return !isChained ? NONE : isOfOneStub ? OF_ONE_STUB : OF_SEVERAL_STUBS;
    }
}
