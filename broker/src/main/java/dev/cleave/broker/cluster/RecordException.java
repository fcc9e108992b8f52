package dev.cleave.broker.cluster;

import java.io.Serial;

/** Bytes of the store are no record. The message says where. */
public final class RecordException extends Exception {

    @Serial
    private static final long serialVersionUID = 1;

    RecordException(String message) {
        super(message);
    }
}
