package dev.cleave.jmh.bench.programs;

import java.io.Serial;

/** Says that a supplier is to be asked again. */
public final class BusyException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    /** With a message. */
    public BusyException(String message) {
        super(message);
    }
}
