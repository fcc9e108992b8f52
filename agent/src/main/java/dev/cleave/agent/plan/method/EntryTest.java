package dev.cleave.agent.plan.method;

import java.util.List;

/**
 * A test at the entry of a region: calls of the region are sent ahead only if it holds.
 *
 * @param values the value to test; for {@link Kind#APART} two, the object written and the object read
 * @param type internal name of the class for {@link Kind#EXACT_CLASS}, {@link Kind#NO_SUBCLASS}, {@link Kind#CLASS_NAMED} and {@link Kind#CLASS_OPEN}, else empty
 * @param contract what the class says when it takes what is sent for a static method, for {@link Kind#CLASS_OPEN}, else empty
 */
public record EntryTest(Kind kind, List<Value> values, String type, String contract) {

    /** Sorts of tests. */
    public enum Kind {
        /** The object is a stub. */
        STUB,
        /** The object is a stub, and all collections that its calls return are of classes of the JDK. */
        JDK_COLLECTIONS,
        /** The object is a stub, and no exception that its calls throw has methods of the program for what it says. */
        PLAIN_EXCEPTIONS,
        /** The object is a stub, and all instances of a class that its calls return are of exactly this class. */
        NO_SUBCLASS,
        /** The object is a collection of the JDK that touches nothing else. */
        CONTAINED,
        /** The object is of exactly one class. */
        EXACT_CLASS,
        /** The object is of the class of a name, which the caller's loader has defined, and need not be loaded. */
        CLASS_NAMED,
        /** The class of a name, which the caller's loader has defined, takes what is sent for a static method of it. */
        CLASS_OPEN,
        /** The object is null or a value of the JDK. */
        VALUE,
        /** Writing to the first cannot be seen through the second. */
        APART
    }

    public EntryTest {
        values = List.copyOf(values);
    }

    /** A test of objects. */
    public EntryTest(Kind kind, List<Value> values, String type) {
        this(kind, values, type, "");
    }
}
