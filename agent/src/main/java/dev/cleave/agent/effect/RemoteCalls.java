package dev.cleave.agent.effect;

import dev.cleave.agent.scan.CallSetting;
import dev.cleave.agent.scan.TrustLevel;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Knows which calls are remote, with their call styles and settings. */
@FunctionalInterface
public interface RemoteCalls {

    /** The setting of a method of an interface, null for every method that is not remote. */
    @Nullable
    CallSetting settingOf(String owner, String name, String descriptor);

    /** Whether a class of the program may call remote methods, by its internal name. */
    default boolean mayCall(String internalName) {
        return !internalName.startsWith("java/") && !internalName.startsWith("[");
    }

    /**
     * The parameters, from 0, and results, {@link dev.cleave.agent.scan.ScannedInterface#RESULT}, that may arrive
     * later, by name and descriptor, of the methods of an interface if it is remote.
     */
    default Map<String, Set<Integer>> latersOf(String internalName) {
        return Map.of();
    }

    /**
     * The parameters that a caller may stream though they are not {@code @Later}, by name and descriptor of the methods
     * of an interface.
     */
    default Map<String, Set<Integer>> streamablesOf(String internalName) {
        return Map.of();
    }

    /** Whether the application file vouches for a method of the program. */
    default TrustLevel trustIn(String owner, String name) {
        return TrustLevel.NONE;
    }
}
