package dev.cleave.agent.effect;

import dev.cleave.agent.ir.Register;

/**
 * A test at run time under which an effect is as described.
 *
 * @param type internal name of the exact class for {@link Kind#EXACT_CLASS} and {@link Kind#CLASS_NAMED}; {@link #ELEMENTS} if the object is an array or a collection that holds values;
 *     else empty
 */
public record Guard(Kind kind, Register object, String type) {

    /** In place of a type: what the array holds is meant, not the array. */
    public static final String ELEMENTS = "[";

    /** The kinds of tests. */
    public enum Kind {
        /** The object is a collection or text buffer of the JDK whose methods read and write nothing else. */
        PLAIN,
        /** The object is of exactly one class of the program. */
        EXACT_CLASS,
        /** The same, of a class that the method does not name: its name is compared. */
        CLASS_NAMED,
        /**
         * The object is null, or a value of the JDK: its {@code equals}, {@code hashCode}, {@code compareTo} and
         * {@code toString} touch nothing else.
         */
        VALUE
    }
}
