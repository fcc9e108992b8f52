package com.acme.shop;

import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.servlet.support.SpringBootServletInitializer;

/** Starts the application in a servlet container. */
public class ShopInitializer extends SpringBootServletInitializer {

    /** For the container. */
    public ShopInitializer() {}

    @Override
    protected SpringApplicationBuilder configure(SpringApplicationBuilder application) {
        return application.sources(ShopApplication.class);
    }
}
