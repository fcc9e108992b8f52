package com.acme.shop;

import dev.cleave.Remote;

/** A remote service; its call style is in cleave.yaml. */
@Remote
public interface Warehouse {

    /** Returns how many pieces of an item there are. */
    int stock(String item);
}
