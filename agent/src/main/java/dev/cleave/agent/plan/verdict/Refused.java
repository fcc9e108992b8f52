package dev.cleave.agent.plan.verdict;

/** Ends an attempt to plan, with the reason. */
public final class Refused extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;
    private final int index;

    /** Ends an attempt for a reason that belongs to no op of the method. */
    public Refused(Refusal refusal) {
        this(refusal, -1);
    }

    /**
     * Names the reason.
     *
     * @param index the op that stood in the way, -1 if there is none
     */
    public Refused(Refusal refusal, int index) {
        super(refusal.reason(), null, false, false);
        this.refusal = refusal;
        this.index = index;
    }

    /** Returns why. */
    public Refusal refusal() {
        return refusal;
    }

    /** The op that stood in the way, -1 if there is none. */
    public int index() {
        return index;
    }
}
