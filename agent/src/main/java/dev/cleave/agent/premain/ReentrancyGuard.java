package dev.cleave.agent.premain;

/**
 * Marks a thread that runs code of the agent. Classes that are loaded meanwhile are not rewritten: they are the agent's
 * own, or those of another agent that reads the agent's, and reading them would need a class of the agent that is just
 * being loaded ({@code ClassCircularityError}, which the JVM remembers for good).
 */
final class ReentrancyGuard {

    private final ThreadLocal<Boolean> underWay = new ThreadLocal<>();

    /** Begins, unless this thread has begun already; a caller that gets {@code true} must call {@code end}. */
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
