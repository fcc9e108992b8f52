package dev.cleave.broker.store;

import dev.cleave.text.Printable;
import java.io.Serial;
import org.jspecify.annotations.Nullable;

/** The store cannot be reached, or does not answer in time: a change may have taken effect or not. */
public class StoreException extends RuntimeException {

    @Serial
    private static final long serialVersionUID = 1;

    /** Creates the exception with its reason in one line. */
    public StoreException(String message, @Nullable Throwable cause) {
        super(Printable.line(message), cause); // the message may quote a peer
    }

    /** The entry is not as the writer expected: nothing was written. */
    public static final class Conflict extends StoreException {

        @Serial
        private static final long serialVersionUID = 1;

        /** Creates the exception for an entry. */
        public Conflict(Key key) {
            super(key + " is not as expected: another broker has written it", null);
        }
    }
}
