package dev.cleave.broker.cli;

import java.io.PrintWriter;

/** One line on the terminal that says what a long command does at the moment; nothing where there is no terminal. */
public final class Progress implements AutoCloseable {

    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter terminal;
    private final boolean shown;

    private Progress(PrintWriter terminal, boolean shown) {
        this.terminal = terminal;
        this.shown = shown;
    }

    /** Shows progress on {@code terminal} if the launcher has found that the standard error is one. */
    public static Progress on(PrintWriter terminal) {
        return new Progress(terminal, Boolean.getBoolean("cleave.terminal"));
    }

    /** Replaces the line. */
    public synchronized void show(String text) {
        if (shown) {
            terminal.print(CLEAR + text);
            terminal.flush();
        }
    }

    /** Prints a line that stays, on a terminal or not. */
    public synchronized void say(String text) {
        terminal.println((shown ? CLEAR : "") + text);
        terminal.flush();
    }

    /** Removes the line. */
    @Override
    public synchronized void close() {
        show("");
    }
}
