package com.acme.shop;

import org.springframework.boot.test.autoconfigure.web.servlet.WebMvcTest;

@WebMvcTest(PriceController.class)
class PriceControllerTest extends PriceSlice {}
