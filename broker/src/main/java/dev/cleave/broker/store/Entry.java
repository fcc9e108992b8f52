package dev.cleave.broker.store;

import static java.util.Objects.requireNonNull;

/**
 * An entry of a store at one moment.
 *
 * @param key its name
 * @param value at most {@link ClusterStore#MOST_BYTES} bytes; the array is never changed
 * @param version greater than that of every change of the store before; so versions of different entries compare
 * @param revision the number of changes of this entry, by which the store recognizes it
 */
public record Entry(Key key, byte[] value, long version, int revision) {

    /** Checks its components. */
    public Entry {
        requireNonNull(key, "key");
        requireNonNull(value, "value");
    }
}
