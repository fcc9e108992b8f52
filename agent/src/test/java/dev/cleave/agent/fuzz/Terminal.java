package dev.cleave.agent.fuzz;

import java.io.PrintWriter;

/** One line that says how far a run is; nothing where the launcher has found no terminal. */
public final class Terminal {

    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter err;
    private final boolean shown = Boolean.getBoolean("cleave.terminal");

    /** Writes to this. */
    public Terminal(PrintWriter err) {
        this.err = err;
    }

    /** Replaces the line. */
    public void show(String text) {
        if (shown) {
            err.print(CLEAR + text);
            err.flush();
        }
    }

    /** Removes the line. */
    public void clear() {
        show("");
    }
}
