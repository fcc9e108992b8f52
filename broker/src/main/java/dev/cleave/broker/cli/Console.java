package dev.cleave.broker.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Prints lines of several processes, each behind the name of its process; on a terminal each name has a colour, and a table may stand
 * below the lines, which is replaced by the next one.
 */
final class Console {

    private static final int[] COLOURS = {36, 33, 35, 32, 34, 96, 93, 95, 92, 94};
    private static final String PLAIN = "\u001b[0m";
    private static final String BOLD = "\u001b[1m";
    private static final String DIM = "\u001b[2m";
    private static final String CUT = "\u001b[?7l"; // lines that are too long end at the edge of the terminal
    private static final String WRAP = "\u001b[?7h";

    private final PrintWriter out;
    private final boolean isTerminal;
    private final boolean isColoured;
    private final Map<String, Integer> colours = new LinkedHashMap<>(); // guarded by this
    private List<String> table = List.of(); // guarded by this
    private int below; // guarded by this: lines of the terminal from the table's first to the cursor

    Console(PrintWriter out, boolean isTerminal, boolean isColoured) {
        this.out = out;
        this.isTerminal = isTerminal;
        this.isColoured = isColoured;
    }

    /** The console of a command: coloured if the launcher has found a terminal, and {@code NO_COLOR} is not set. */
    static Console on(PrintWriter out) {
        boolean isTerminal = Boolean.getBoolean("cleave.terminal.out");
        return new Console(out, isTerminal, isTerminal && System.getenv("NO_COLOR") == null);
    }

    /** Whether it is a terminal. */
    boolean isTerminal() {
        return isTerminal;
    }

    synchronized void say(String line) {
        erase();
        out.println(line);
        draw();
    }

    synchronized void say(String name, String line) {
        say(coloured(name, name) + " | " + line);
    }

    /** Replaces the table below the lines, whose first column has names of processes; elsewhere than on a terminal prints it. */
    synchronized void table(List<String> lines) {
        if (!isTerminal) {
            lines.forEach(out::println);
            out.flush();
            return;
        }
        erase();
        table = List.copyOf(lines);
        draw();
    }

    /** The user has ended a line below the table. */
    synchronized void typed() {
        below += table.isEmpty() ? 0 : 1;
    }

    private void erase() {
        if (below > 0) {
            out.print("\u001b[" + below + "A\r\u001b[J");
            below = 0;
        }
    }

    private void draw() {
        if (!table.isEmpty()) {
            out.print(CUT);
            out.println();
            for (int i = 0; i < table.size(); i++) {
                out.println(
                        i == 0
                                ? heading(table.get(0))
                                : i == table.size() - 1 ? last(table.get(i)) : row(table.get(i)));
            }
            out.print(WRAP);
            below = table.size() + 1;
        }
        out.flush();
    }

    private String heading(String line) {
        return isColoured ? BOLD + line + PLAIN : line;
    }

    private String last(String line) {
        return isColoured ? DIM + line + PLAIN : line;
    }

    private String row(String line) {
        int end = line.indexOf(' ');
        String name = end < 0 ? line : line.substring(0, end);
        return coloured(name, name) + line.substring(name.length());
    }

    private String coloured(String name, String text) {
        if (!isColoured) {
            return text;
        }
        int colour = COLOURS[colours.computeIfAbsent(name, key -> colours.size()) % COLOURS.length];
        return "\u001b[" + colour + "m" + text + PLAIN;
    }
}
