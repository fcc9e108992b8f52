package dev.cleave.agent.ir;

import org.jspecify.annotations.Nullable;

/**
 * The source name of a JVM local between two labels; for debuggers and reports, never for reasoning.
 *
 * @param signature the generic signature, null if the type has none
 */
public record LocalVariable(
        String name, String descriptor, @Nullable String signature, int slot, LabelOp start, LabelOp end) {}
