package dev.cleave.serial;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The names that a peer has announced, by number. Filled by the connection's event thread, read by any.
 *
 * <p>Bounded: a peer that announces more than {@value #MAX_NAMES} names or {@value #MAX_CHARS} characters violates the
 * protocol.
 */
public final class AnnouncedNames {

    static final int MAX_NAMES = 1 << 16;
    static final int MAX_CHARS = 1 << 22;

    private static final String[] NONE = {};

    private final @Nullable Object origin;
    private String[] names = NONE; // event thread only; grows by half, and entries never change
    private volatile Table table = new Table(NONE, 0);
    private int chars; // event thread only

    /** The names that readers see. */
    private record Table(String[] names, int size) {}

    /** Creates names without a peer. */
    public AnnouncedNames() {
        origin = null;
    }

    /** Creates the names that {@code origin} announces. */
    public AnnouncedNames(Object origin) {
        this.origin = origin;
    }

    /** The peer that announces the names, and from which references arrive that are read with them. */
    public @Nullable Object origin() {
        return origin;
    }

    /**
     * Takes an announcement.
     *
     * @throws SerialException if it does not continue the numbers before it or passes the bounds
     */
    public void announced(int first, List<String> added) {
        int before = table.size();
        if (first != before) {
            throw SerialException.malformed("first announced number: " + first + " (expected: " + before + ")");
        }
        chars += added.stream().mapToInt(String::length).sum();
        if (before + added.size() > MAX_NAMES || chars > MAX_CHARS) {
            throw SerialException.malformed("announced names: " + (before + added.size()) + " with " + chars
                    + " characters (expected: at most " + MAX_NAMES + " with " + MAX_CHARS + ")");
        }
        int after = before + added.size();
        if (after > names.length) {
            names = Arrays.copyOf(names, Math.max(after, names.length + (names.length >> 1)));
        }
        for (int i = 0; i < added.size(); i++) {
            names[before + i] = added.get(i);
        }
        table = new Table(names, after);
    }

    /** The number of known names. */
    public int size() {
        return table.size();
    }

    /**
     * The name with a number.
     *
     * @throws SerialException if it has not been announced
     */
    public String name(int number) {
        Table known = table;
        if (number < 0 || number >= known.size()) {
            throw SerialException.malformed("type number: " + number + " (expected: 0.." + (known.size() - 1) + ")");
        }
        return known.names()[number];
    }
}
