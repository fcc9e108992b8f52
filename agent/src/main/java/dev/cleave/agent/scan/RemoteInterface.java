package dev.cleave.agent.scan;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A remote interface, as its class file and those above it describe it.
 *
 * @param name its internal name
 * @param methods the settings of its abstract methods, inherited ones included, by name and descriptor
 * @param laters the parameters, from 0, that may arrive later, for those of these methods that have any
 */
public record RemoteInterface(String name, Map<String, CallSetting> methods, Map<String, Set<Integer>> laters) {

    /** Copies the maps. */
    public RemoteInterface {
        methods = Map.copyOf(methods);
        laters = Map.copyOf(laters);
    }

    /** The setting of a method, or null if the interface has no such abstract method. */
    public @Nullable CallSetting method(String methodName, String descriptor) {
        return methods.get(methodName + descriptor);
    }
}
