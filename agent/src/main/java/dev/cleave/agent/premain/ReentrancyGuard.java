package dev.cleave.agent.premain;

/**
 * Marks a thread that is at work for the agent. Classes that are loaded meanwhile are left alone: they are the agent's own,
 * or those of another agent that looks at the agent's, and looking at them in turn would need a class of the agent that is
 * just being loaded ({@code ClassCircularityError}, which the JVM remembers for good).
 */
final class ReentrancyGuard {

    private final ThreadLocal<Boolean> underWay = new ThreadLocal<>();

    /** Begins, unless this thread has begun already; who begins must end. */
    boolean begin() {
        if (underWay.get() != null) {
            return false;
        }
        underWay.set(Boolean.TRUE);
        return true;
    }

    void end() {
        underWay.remove();
    }
}
