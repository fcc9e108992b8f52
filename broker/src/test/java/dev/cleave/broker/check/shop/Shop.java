package dev.cleave.broker.check.shop;

import dev.cleave.Chained;
import dev.cleave.Idempotent;
import dev.cleave.ReadOnly;
import dev.cleave.Remote;

/** A service. */
@Remote
public interface Shop {

    /** Orders a book. */
    int order(String title, int copies);

    /** Reads a price. */
    @ReadOnly
    long price(String title);

    /** Says how many copies are there. */
    @Idempotent
    int copies(String title);

    /** Adds pictures. */
    void add(String title, byte[] cover, int[] pages);

    /** Packs a parcel. */
    @Chained
    void pack(String title);
}
