package dev.cleave.agent.plan.verdict;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Tells which calls of a nest, or of code in straight line, overlap, and which wait for results of others (R71, R72, R73).
 *
 * @param line where the nest begins, -1 if unknown
 * @param shape what the nest is
 * @param steps the calls that strands send, in the order of the code
 * @param stays the calls of the nest that no strand sends
 */
public record Overlap(int line, Shape shape, List<Step> steps, List<Stay> stays) {

    /** What holds the calls. */
    public enum Shape {
        /** A nest of loops. */
        NEST,
        /** A method that calls itself. */
        RECURSION,
        /** Code in straight line. */
        LINE
    }

    /** Copies the lists. */
    public Overlap {
        steps = List.copyOf(steps);
        stays = List.copyOf(stays);
    }

    /**
     * A call that a strand sends.
     *
     * @param place class and method that hold the call
     * @param line its source line, -1 if unknown
     * @param call the remote method, {@code Interface.method}
     * @param depth how many calls have to be made one after the other until its result is there, itself included
     * @param follows whether it waits for results of the same place: of the pass, attempt or level before
     * @param waitsFor the remote methods whose results it needs
     */
    public record Step(String place, int line, String call, int depth, boolean follows, List<String> waitsFor) {

        /** Copies the list. */
        public Step {
            waitsFor = List.copyOf(waitsFor);
        }
    }

    /**
     * A call that no strand sends.
     *
     * @param refusal why
     */
    public record Stay(int line, String call, Refusal refusal) {}

    /** Returns the length of the critical path: how many calls have to be made one after the other. */
    public int length() {
        return steps.stream().mapToInt(Step::depth).max().orElse(0);
    }

    /** Returns a call at the end of the critical path, one that follows itself if there is one; null if all calls overlap. */
    public @Nullable Step last() {
        Step last = null;
        for (Step step : steps) {
            if (last == null ? step.depth() > 1 || step.follows() : isLater(step, last)) {
                last = step;
            }
        }
        return last;
    }

    private static boolean isLater(Step step, Step other) {
        return step.follows() == other.follows() ? step.depth() > other.depth() : step.follows();
    }
}
