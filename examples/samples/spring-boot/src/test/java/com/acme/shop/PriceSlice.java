package com.acme.shop;

import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.get;
import static org.springframework.test.web.servlet.result.MockMvcResultMatchers.content;

import dev.cleave.spring.CleaveService;
import dev.cleave.spring.test.InProcessCleave;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ActiveProfiles;
import org.springframework.test.web.servlet.MockMvc;

/** The controller in a slice: {@code WebMvcTest}, which Spring Boot 4 has in another package than 3.5. */
@ActiveProfiles("shop")
@Import({Prices.class, PriceSlice.FakeInventory.class})
@InProcessCleave
@Tag("full")
abstract class PriceSlice {

    /** Takes the place of the warehouse. */
    @CleaveService
    static class FakeInventory implements Inventory {

        @Override
        public int price(int item) {
            return 7;
        }

        @Override
        public int stocktaking() {
            return 5;
        }
    }

    @Test
    void aRequestCallsTheServiceOfTheTest(@Autowired MockMvc web) throws Exception {
        web.perform(get("/total/3")).andExpect(content().string("21"));
        web.perform(get("/stocktaking")).andExpect(content().string("5"));
    }
}
