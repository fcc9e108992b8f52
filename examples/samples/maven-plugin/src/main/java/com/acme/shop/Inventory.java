package com.acme.shop;

import java.util.List;

/** Counts what a warehouse has. */
public final class Inventory {

    private final Warehouse warehouse;

    public Inventory(Warehouse warehouse) {
        this.warehouse = warehouse;
    }

    /** Asks for one item after the other. */
    public int count(List<String> items) {
        int total = 0;
        for (String item : items) {
            total += warehouse.stock(item);
        }
        return total;
    }
}
