package dev.cleave.serial;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The numbers under which one node writes names: dense from 0 and the same on all of its connections, so that a body
 * once written may be sent, or sent again, over any of them. Each connection announces a prefix of the list, see
 * {@link Announcements}. Thread-safe.
 */
public final class Numbers {

    private final Map<String, Integer> numbers = new ConcurrentHashMap<>();
    private final List<String> names = new ArrayList<>(); // guarded by names

    /** Returns the number of a name, and assigns one if it has none. */
    public int numberOf(String name) {
        Integer known = numbers.get(name);
        if (known != null) {
            return known;
        }
        synchronized (names) {
            return numbers.computeIfAbsent(name, n -> {
                names.add(n);
                return names.size() - 1;
            });
        }
    }

    /** How many names have a number. */
    public int size() {
        synchronized (names) {
            return names.size();
        }
    }

    /** The names with numbers up to {@code last}. */
    public List<String> upTo(int last) {
        return last < 0 ? List.of() : names(0, last);
    }

    /** The names with numbers from {@code first} to {@code last}, both included. */
    public List<String> names(int first, int last) {
        synchronized (names) {
            return List.copyOf(names.subList(first, last + 1));
        }
    }
}
