package dev.cleave.agent.completeness;

/**
 * How long one run of a program takes, in round trips: a call takes one, whatever else the program does takes none.
 *
 * @param name of the program
 * @param written as written
 * @param rewritten as the agent rewrites it
 * @param ideal by its {@linkplain DataFlowClock data flow}
 * @param within the same, with no more calls in flight than their windows allow
 */
public record Makespan(String name, long written, long rewritten, long ideal, long within) {

    /** The ideal over what is reached, 1 if that is as good or better; better it can be where results are passed on (R50). */
    public double completeness() {
        return rewritten <= ideal ? 1 : (double) ideal / rewritten;
    }

    /** Whether there is anything to gain. */
    public boolean isSlow() {
        return written > ideal;
    }
}
