package com.acme.shop;

import org.springframework.context.annotation.Profile;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** Answers {@code /total/100} with the price of the first 100 items. */
@Profile("shop")
@RestController
class PriceController {

    private final Prices prices;

    PriceController(Prices prices) {
        this.prices = prices;
    }

    @GetMapping("/total/{items}")
    int total(@PathVariable("items") int items) {
        return prices.total(items);
    }
}
