package com.acme.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the application. */
@SpringBootApplication
public class ShopApplication {

    /** For Spring. */
    public ShopApplication() {}

    /** Starts a role, or both: {@code --spring.profiles.active=shop,warehouse}. */
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
