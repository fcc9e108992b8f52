package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** Customers, and what they have ordered. */
@Remote
@Async
public interface Shop {

    /** The name of a customer. */
    String name(int customer);

    /** Where a customer lives. */
    String region(int customer);

    /** The numbers of the orders of a customer. */
    long[] orders(int customer);

    /** The articles of an order. */
    int[] lines(long order);

    /** The price of an article; negative if it is sold no more. */
    double price(int sku);
}
