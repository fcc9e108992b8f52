package dev.cleave.agent.plan;

/** Ends an attempt to plan, with the reason. */
final class Refused extends Exception {

    private static final long serialVersionUID = 1L;

    private final transient Refusal refusal;

    Refused(Refusal refusal) {
        super(refusal.reason(), null, false, false);
        this.refusal = refusal;
    }

    Refusal refusal() {
        return refusal;
    }
}
