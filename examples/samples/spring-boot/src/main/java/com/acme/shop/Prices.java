package com.acme.shop;

import dev.cleave.spring.CleaveReference;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Service;

/** Adds up prices: one remote call after the other, as written. */
@Service
@Profile("shop")
class Prices {

    private final Inventory inventory;

    Prices(@CleaveReference Inventory inventory) {
        this.inventory = inventory;
    }

    int total(int items) {
        int total = 0;
        for (int item = 0; item < items; item++) {
            total += inventory.price(item);
        }
        return total;
    }
}
