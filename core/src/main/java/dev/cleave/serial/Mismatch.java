package dev.cleave.serial;

import java.io.Serial;

/** An object that is not of the type that is declared where it has arrived; learns the way to it while it is passed up. */
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

    /** It is within a part of what is around it. */
    Mismatch at(String part) {
        path.insert(0, part);
        return this;
    }

    /** The refusal of the value that was declared at a place. */
    SerialException refusal(String place) {
        String way = path.isEmpty() ? "" : (place.isEmpty() ? "at " : ", at ") + path;
        String where = place + way;
        return SerialException.refused(
                (where.isEmpty() ? "" : where + ": ") + found + " (expected: " + expected + ", as it is declared)");
    }
}
