package com.acme.shop;

import dev.cleave.CallContext;
import dev.cleave.spring.CleaveService;
import jakarta.annotation.PreDestroy;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Profile;

/** Serves the inventory. */
@CleaveService
@Profile("warehouse")
class Warehouse implements Inventory {

    private static final Logger LOG = LoggerFactory.getLogger(Warehouse.class);

    @Override
    public int price(int item) {
        LOG.debug("price of {}", item); // with the request of the shop, since cleave.mdc names it
        return 100 + item;
    }

    @Override
    public int stocktaking() {
        System.out.println(
                "stocktaking begins, " + CallContext.current().remaining().toMinutes() + " minutes left");
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
