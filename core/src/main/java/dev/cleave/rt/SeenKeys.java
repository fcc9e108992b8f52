package dev.cleave.rt;

import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The keys that maps of the program will hold once the program has come to where a strand is: those that they hold
 * now, and those for which the strand has sent a call (R71). Confined to one thread.
 */
final class SeenKeys {

    private final Map<Object, Set<Object>> sent = new IdentityHashMap<>();

    /**
     * Whether a map will hold a key; if not, it is taken as held from now on.
     *
     * @throws IllegalStateException if asking the map or the key may run code of the program
     */
    boolean holds(@Nullable Object map, @Nullable Object key) {
        if (!(map instanceof Map<?, ?> asked) || !isPlain(asked) || key == null || !PlainClasses.isValue(key)) {
            throw new IllegalStateException("a map or key of the program's own class");
        }
        return asked.containsKey(key)
                || !sent.computeIfAbsent(map, each -> new HashSet<>()).add(key);
    }

    private static boolean isPlain(Map<?, ?> map) {
        return PlainClasses.isPlainMap(map) && (!(map instanceof TreeMap<?, ?> tree) || tree.comparator() == null);
    }
}
