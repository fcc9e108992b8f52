package com.acme.shop;

import dev.cleave.Async;
import dev.cleave.Remote;

/** What the warehouse offers. */
@Remote
public interface Inventory {

    /** Returns the price of an item in cents. */
    @Async
    int price(int item);

    /** Counts the items, which takes a second. */
    int stocktaking();
}
