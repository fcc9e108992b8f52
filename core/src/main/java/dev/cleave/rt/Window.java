package dev.cleave.rt;

/**
 * How many calls a loop may have in flight: begins at two, doubles whenever the program had to wait for a call, up to a
 * bound.
 */
final class Window {

    private static final int FIRST = 2;

    private final int bound;
    private int size;

    Window(int bound) {
        if (bound < 1) {
            throw new IllegalArgumentException("bound: " + bound + " (expected: 1 or more)");
        }
        this.bound = bound;
        this.size = Math.min(FIRST, bound);
    }

    int size() {
        return size;
    }

    /** The program was faster than the calls. */
    void waited() {
        size = Math.min(bound, size * 2);
    }
}
