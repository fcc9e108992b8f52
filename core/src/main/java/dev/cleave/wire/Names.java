package dev.cleave.wire;

import dev.cleave.text.Printable;

/** Checks the names of nodes, services and replicas, so that they can be printed. */
public final class Names {

    /** The most characters of a name. */
    public static final int MOST = 255;

    private Names() {}

    /** Says whether a name is short enough and has no characters that steer a terminal or forge a log line. */
    public static boolean isPlain(String name) {
        return name.length() <= MOST && Printable.isLine(name);
    }

    /**
     * Checks a name.
     *
     * @param what the kind of the named thing, for the message
     * @throws IllegalArgumentException if it is empty or not {@linkplain #isPlain plain}
     */
    public static String check(String what, String name) {
        if (name.isEmpty() || !isPlain(name)) {
            throw new IllegalArgumentException(
                    what + ": " + shown(name) + " (expected: 1.." + MOST + " characters without control characters)");
        }
        return name;
    }

    /** Makes a text of a peer printable in one line: control characters as {@code \\uXXXX}, at most 255 characters. */
    public static String shown(String text) {
        return Printable.line(text, MOST);
    }

    /** Makes a text of any length printable in one line, as {@link #shown} does. */
    public static String escaped(String text) {
        return Printable.line(text);
    }
}
