package dev.cleave.ref;

import dev.cleave.Remote;
import java.util.List;

/** The interface through which a node fetches the elements of a stream, iterator, iterable or publisher of another. */
@Remote
interface ElementSource {

    /**
     * Fetches the next elements.
     *
     * @param cursor a number that the receiver has chosen for this iteration
     * @param most the credit: how many it has room for
     * @return whether these are the last ones, as 1 or 0, and the elements; none and 0 if none has come yet
     */
    List<Object> next(long cursor, int most);

    /** Ends an iteration early. */
    void cancel(long cursor);
}
