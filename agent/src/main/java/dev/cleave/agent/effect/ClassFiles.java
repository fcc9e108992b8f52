package dev.cleave.agent.effect;

import org.jspecify.annotations.Nullable;

/** Where class files come from; nothing is loaded. */
@FunctionalInterface
public interface ClassFiles {

    /** The bytes of a class, null if there are none. */
    byte @Nullable [] bytes(String internalName);
}
