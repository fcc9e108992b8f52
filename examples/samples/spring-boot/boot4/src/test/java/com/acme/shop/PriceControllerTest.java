package com.acme.shop;

import org.springframework.boot.webmvc.test.autoconfigure.WebMvcTest;

@WebMvcTest(PriceController.class)
class PriceControllerTest extends PriceSlice {}
