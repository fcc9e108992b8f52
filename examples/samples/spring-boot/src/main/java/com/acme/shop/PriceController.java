package com.acme.shop;

import dev.cleave.spring.CleaveReference;
import org.slf4j.MDC;
import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Answers {@code /total/100} with the price of the first 100 items, and {@code /stocktaking} after a second. */
@Profile("shop")
@RestController
class PriceController {

    private final Prices prices;
    private final Inventory inventory;

    PriceController(Prices prices, @CleaveReference Inventory inventory) {
        this.prices = prices;
        this.inventory = inventory;
    }

    @GetMapping("/stocktaking")
    int stocktaking() {
        return inventory.stocktaking();
    }

    @GetMapping("/total/{items}")
    int total(@PathVariable("items") int items) {
        MDC.put("request", "total of " + items);
        try {
            return prices.total(items);
        } finally {
            MDC.remove("request");
        }
    }
}
