package dev.cleave.broker.cli;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;

/** Prints lines of several processes, each behind the name of its process; on a terminal each name has a colour. */
final class Console {

    private static final int[] COLOURS = {36, 33, 35, 32, 34, 96, 93, 95, 92, 94};
    private static final String PLAIN = "\u001b[0m";

    private final PrintWriter out;
    private final boolean isColoured;
    private final Map<String, Integer> colours = new LinkedHashMap<>(); // guarded by this

    Console(PrintWriter out, boolean isColoured) {
        this.out = out;
        this.isColoured = isColoured;
    }

    /** The console of a command: coloured if the launcher has found a terminal, and {@code NO_COLOR} is not set. */
    static Console on(PrintWriter out) {
        return new Console(out, Boolean.getBoolean("cleave.terminal") && System.getenv("NO_COLOR") == null);
    }

    synchronized void say(String line) {
        out.println(line);
        out.flush();
    }

    synchronized void say(String name, String line) {
        say(named(name) + " | " + line);
    }

    private String named(String name) {
        if (!isColoured) {
            return name;
        }
        int colour = COLOURS[colours.computeIfAbsent(name, key -> colours.size()) % COLOURS.length];
        return "\u001b[" + colour + "m" + name + PLAIN;
    }
}
