package dev.cleave.broker.cli;

import dev.cleave.text.Printable;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.function.Supplier;

/**
 * Shows what a long command is doing: in one line of a terminal that it replaces; without a terminal not at all, or by
 * a line at intervals.
 */
public final class Progress implements AutoCloseable {

    private static final String CLEAR = "\r\u001b[K";

    private final PrintWriter terminal;
    private final boolean shown;
    private final long everyNanos; // Long.MAX_VALUE: never
    private final Supplier<String> front;
    private long saidAt = System.nanoTime(); // guarded by this

    private Progress(PrintWriter terminal, boolean shown, long everyNanos, Supplier<String> front) {
        this.front = front;
        this.terminal = terminal;
        this.shown = shown;
        this.everyNanos = everyNanos;
    }

    /** Shows progress on {@code terminal} if the launcher has found that the standard error is one. */
    public static Progress on(PrintWriter terminal) {
        return new Progress(terminal, Boolean.getBoolean("cleave.terminal"), Long.MAX_VALUE, () -> "");
    }

    /**
     * Shows progress as {@link #on(PrintWriter)} does, and without a terminal by a line, at most one in a given time.
     */
    public static Progress on(PrintWriter terminal, Duration every) {
        return new Progress(terminal, Boolean.getBoolean("cleave.terminal"), every.toNanos(), () -> "");
    }

    /** The same progress with a text in front of each line that is shown, such as a bar of the whole work. */
    public Progress behind(Supplier<String> text) {
        return new Progress(terminal, shown, everyNanos, text);
    }

    /** Replaces the line. */
    public synchronized void show(String text) {
        if (shown) {
            terminal.print(CLEAR + (text.isEmpty() ? "" : front.get()) + Printable.line(text));
            terminal.flush();
        } else if (!text.isEmpty() && System.nanoTime() - saidAt >= everyNanos) {
            saidAt = System.nanoTime();
            say(text);
        }
    }

    /** Prints a line that stays, on a terminal or not. */
    public synchronized void say(String text) {
        terminal.println((shown ? CLEAR : "") + Printable.line(text));
        terminal.flush();
    }

    /** Removes the line. */
    @Override
    public synchronized void close() {
        show("");
    }
}
