package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/** A list of items that is read page by page. */
@Remote
@Async
public interface Catalogue {

    /**
     * Some of the items.
     *
     * @param items their numbers
     * @param next where the next page begins; null if this is the last one
     */
    record Page(long[] items, @Nullable String next) implements Serializable {}

    /** The page that begins at a cursor; the first one begins at the empty text. */
    Page page(String cursor);

    /** The weight of an item. */
    double weight(long item);
}
