package dev.cleave.serial;

import java.io.Serial;

/** An object does not have the declared type; the exception collects the path to the object while it is passed up. */
final class Mismatch extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    private final transient Shape expected;
    private final transient StringBuilder path = new StringBuilder();
    private final String found;

    Mismatch(Class<?> found, Shape expected) {
        super(null, null, false, false);
        this.expected = expected;
        this.found = found.getTypeName();
    }

    /** Adds the part of the surrounding object that holds the object. */
    Mismatch at(String part) {
        path.insert(0, part);
        return this;
    }

    /** Creates the refusal of the value at a place. */
    SerialException refusal(String place) {
        String way = path.isEmpty() ? "" : (place.isEmpty() ? "at " : ", at ") + path;
        String where = place + way;
        return SerialException.refused(
                (where.isEmpty() ? "" : where + ": ") + found + " (expected: " + expected + ", as it is declared)");
    }
}
