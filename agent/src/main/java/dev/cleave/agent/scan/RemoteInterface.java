package dev.cleave.agent.scan;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A remote interface, as its class file and those above it describe it.
 *
 * @param name its internal name
 * @param methods the settings of its abstract methods, inherited ones included, by name and descriptor
 */
public record RemoteInterface(String name, Map<String, CallSetting> methods) {

    /** Copies the map. */
    public RemoteInterface {
        methods = Map.copyOf(methods);
    }

    /** The setting of a method, or null if the interface has no such abstract method. */
    public @Nullable CallSetting method(String methodName, String descriptor) {
        return methods.get(methodName + descriptor);
    }
}
