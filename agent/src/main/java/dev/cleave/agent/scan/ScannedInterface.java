package dev.cleave.agent.scan;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A remote interface, as its class file and those of its superinterfaces describe it.
 *
 * @param name its internal name
 * @param methods the settings of its abstract methods, inherited ones included, by name and descriptor
 * @param streamables the parameters, from 0, of the methods that have any, which a caller may stream without {@code @Later}
 * @param laters the {@code @Later} parameters, from 0, and {@link #RESULT}, of the methods that have any
 */
public record ScannedInterface(
        String name,
        Map<String, CallSetting> methods,
        Map<String, Set<Integer>> laters,
        Map<String, Set<Integer>> streamables) {

    /** Stands for the result among the parameters. */
    public static final int RESULT = -1;

    /** Copies the maps. */
    public ScannedInterface {
        methods = Map.copyOf(methods);
        laters = Map.copyOf(laters);
        streamables = Map.copyOf(streamables);
    }

    /** Whether any of its methods has parameters that may arrive later. */
    boolean hasLaterParameters() {
        if (!streamables.isEmpty()) {
            return true;
        }
        for (Set<Integer> each : laters.values()) { // without a lambda: runs for every class that is loaded
            if (each.size() > 1 || !each.contains(RESULT)) {
                return true;
            }
        }
        return false;
    }

    /** The setting of a method, or null if the interface has no such abstract method. */
    public @Nullable CallSetting method(String methodName, String descriptor) {
        return methods.get(methodName + descriptor);
    }
}
