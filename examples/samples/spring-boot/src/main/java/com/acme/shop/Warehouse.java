package com.acme.shop;

import dev.cleave.spring.CleaveService;
import jakarta.annotation.PreDestroy;
import java.util.concurrent.TimeUnit;
import org.springframework.context.annotation.Profile;

/** Serves the inventory. */
@CleaveService
@Profile("warehouse")
class Warehouse implements Inventory {

    @Override
    public int price(int item) {
        return 100 + item;
    }

    @Override
    public int stocktaking() {
        System.out.println("stocktaking begins");
        try {
            TimeUnit.SECONDS.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        System.out.println("stocktaking ends");
        return 42;
    }

    @PreDestroy
    void close() {
        System.out.println("the warehouse closes");
    }
}
