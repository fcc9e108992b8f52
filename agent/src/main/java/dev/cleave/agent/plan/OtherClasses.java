package dev.cleave.agent.plan;

import java.util.HashMap;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.objectweb.asm.tree.ClassNode;

/** The helpers of the classes that a class calls, and that those call: so many classes, and not farther than so many steps. */
final class OtherClasses {

    private static final int MOST = 48;
    private static final int FARTHEST = 3;

    private final Function<String, @Nullable ClassNode> files;
    private final BiFunction<ClassNode, Integer, Helpers> reading;
    private final Map<String, @Nullable Helpers> known = new HashMap<>();

    /**
     * Knows one class so far.
     *
     * @param first the helpers of that class
     * @param files reads a class that may call remote methods, by internal name; null for all others
     * @param reading finds the helpers of a class, so many steps away
     */
    OtherClasses(
            String name,
            Helpers first,
            Function<String, @Nullable ClassNode> files,
            BiFunction<ClassNode, Integer, Helpers> reading) {
        this.files = files;
        this.reading = reading;
        known.put(name, first);
    }

    /** The helpers of a class that is so many steps away, null if it has none or is too far. */
    @Nullable
    Helpers of(String name, int distance) {
        if (known.containsKey(name)) {
            return known.get(name);
        }
        if (distance > FARTHEST || known.size() >= MOST) {
            return null;
        }
        ClassNode node = files.apply(name);
        Helpers found = node == null ? null : reading.apply(node, distance);
        known.put(name, found);
        return found;
    }

    /** All classes that were looked at and have helpers. */
    Iterable<Helpers> all() {
        return known.values().stream().filter(helpers -> helpers != null).toList();
    }
}
