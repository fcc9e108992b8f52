package com.acme.shop;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Starts the application. */
@SpringBootApplication
public class ShopApplication {

    /** For Spring. */
    public ShopApplication() {}

    /** Starts a role: {@code --spring.profiles.active=warehouse} or {@code shop}. */
    public static void main(String[] args) {
        SpringApplication.run(ShopApplication.class, args);
    }
}
