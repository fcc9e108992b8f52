package dev.cleave.wire;

/** The knowledge of a failure about the execution of the method. */
public enum Execution {
    /** The method certainly did not begin. */
    NOT,
    /** The method may have run, wholly or in part, or may still be running. */
    MAYBE,
    /** The method ran to its end. */
    EXECUTED;

    static Execution of(int number) {
        if (number >= values().length) {
            throw new WireException(ErrorCode.PROTOCOL, "execution: " + number + " (expected: 0..2)");
        }
        return values()[number];
    }
}
