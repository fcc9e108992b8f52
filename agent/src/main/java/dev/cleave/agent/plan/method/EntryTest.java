package dev.cleave.agent.plan.method;

import java.util.List;

/**
 * What must hold where a region is entered for anything to be sent ahead in it.
 *
 * @param values one, for {@link Kind#APART} two: what is written, what is read
 * @param type internal name of the class for {@link Kind#EXACT_CLASS}, else empty
 */
public record EntryTest(Kind kind, List<Value> values, String type) {

    /** Sorts of tests. */
    public enum Kind {
        /** The object is a stub. */
        STUB,
        /** The object is a collection of the JDK that touches nothing else. */
        CONTAINED,
        /** The object is of exactly one class. */
        EXACT_CLASS,
        /** Writing to the first cannot be seen through the second. */
        APART
    }

    public EntryTest {
        values = List.copyOf(values);
    }
}
