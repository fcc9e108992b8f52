package dev.cleave.serial;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names that a peer has announced, by number. Filled by the connection's event thread, read by any.
 *
 * <p>Bounded: a peer that announces more than {@value #MAX_NAMES} names or {@value #MAX_CHARS} characters breaks the rules.
 */
public final class Names {

    static final int MAX_NAMES = 1 << 16;
    static final int MAX_CHARS = 1 << 22;

    private static final String[] NONE = {};

    private final @Nullable Object origin;
    private volatile String[] names = NONE;
    private int chars; // event thread only

    /** Names of nobody in particular. */
    public Names() {
        origin = null;
    }

    /** The names that {@code origin} announces. */
    public Names(Object origin) {
        this.origin = origin;
    }

    /** Who announces them: where references come from that are read with them. */
    public @Nullable Object origin() {
        return origin;
    }

    /**
     * Takes an announcement.
     *
     * @throws SerialException if it does not continue the numbers before it or passes the bounds
     */
    public void announced(int first, List<String> added) {
        String[] before = names;
        if (first != before.length) {
            throw SerialException.malformed("first announced number: " + first + " (expected: " + before.length + ")");
        }
        chars += added.stream().mapToInt(String::length).sum();
        if (before.length + added.size() > MAX_NAMES || chars > MAX_CHARS) {
            throw SerialException.malformed("announced names: " + (before.length + added.size()) + " with " + chars
                    + " characters (expected: at most " + MAX_NAMES + " with " + MAX_CHARS + ")");
        }
        String[] after = java.util.Arrays.copyOf(before, before.length + added.size());
        for (int i = 0; i < added.size(); i++) {
            after[before.length + i] = added.get(i);
        }
        names = after;
    }

    /** How many names are known. */
    public int size() {
        return names.length;
    }

    /**
     * The name with a number.
     *
     * @throws SerialException if it has not been announced
     */
    public String name(int number) {
        String[] known = names;
        if (number < 0 || number >= known.length) {
            throw SerialException.malformed("type number: " + number + " (expected: 0.." + (known.length - 1) + ")");
        }
        return known[number];
    }
}
