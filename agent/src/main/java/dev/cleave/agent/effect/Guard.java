package dev.cleave.agent.effect;

import dev.cleave.agent.ir.Register;

/**
 * What must hold at run time for an effect to be as described.
 *
 * @param type internal name of the exact class for {@link Kind#EXACT_CLASS}, else empty
 */
public record Guard(Kind kind, Register object, String type) {

    /** Sorts of tests. */
    public enum Kind {
        /** A collection or text buffer of the JDK whose methods touch nothing else. */
        PLAIN,
        /** An object of exactly one class of the program. */
        EXACT_CLASS,
        /** Null, or a value of the JDK: its {@code equals}, {@code hashCode}, {@code compareTo} and {@code toString} touch nothing else. */
        VALUE
    }
}
