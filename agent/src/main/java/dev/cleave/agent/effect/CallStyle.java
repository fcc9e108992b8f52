package dev.cleave.agent.effect;

/**
 * How a method is called.
 *
 * @param tier what calls of it allow
 * @param window the most calls that a loop keeps in flight
 */
public record CallStyle(Tier tier, int window) {

    /** What calls of a method allow. */
    public enum Tier {
        /** Not a remote method. */
        LOCAL,
        /** T0: never moved, and a barrier. */
        BARRIER,
        /** T1: may start early and overlap others. */
        MOVABLE
    }

    /** Not a remote method. */
    public static final CallStyle LOCAL = new CallStyle(Tier.LOCAL, 1);

    /** A remote method without a style, or {@code @Sync}. */
    public static final CallStyle BARRIER = new CallStyle(Tier.BARRIER, 1);

    /** An {@code @Async} remote method, or one that changes nothing. */
    public static CallStyle movable(int window) {
        return new CallStyle(Tier.MOVABLE, window);
    }
}
