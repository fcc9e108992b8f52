package dev.cleave.broker.store;

import java.util.List;

/**
 * The name of an entry: a path of parts, of which the first ones may be the prefix of many.
 *
 * @param parts none is empty; of any characters, since a store escapes them
 */
public record Key(List<String> parts) {

    /** Checks and copies its components. */
    public Key {
        parts = List.copyOf(parts);
        if (parts.stream().anyMatch(String::isEmpty)) {
            throw new IllegalArgumentException("key: " + parts + " (expected: no empty part)");
        }
    }

    /** Creates a key of parts. */
    public static Key of(String... parts) {
        return new Key(List.of(parts));
    }

    /** Whether this key begins with all parts of a prefix, and has more. */
    public boolean isBelow(Key prefix) {
        return parts.size() > prefix.parts.size()
                && parts.subList(0, prefix.parts.size()).equals(prefix.parts);
    }

    @Override
    public String toString() {
        return String.join("/", parts);
    }
}
