package dev.cleave.agent.fuzz;

import java.io.PrintWriter;

/** One line that says how far a run is; nothing where the launcher has found no terminal. */
final class Terminal {

    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter err;
    private final boolean shown = Boolean.getBoolean("cleave.terminal");

    Terminal(PrintWriter err) {
        this.err = err;
    }

    /** Replaces the line. */
    void show(String text) {
        if (shown) {
            err.print(CLEAR + text);
            err.flush();
        }
    }

    /** Removes the line. */
    void clear() {
        show("");
    }
}
