package dev.cleave.jmh.bench.programs;

import dev.cleave.ReadOnly;
import dev.cleave.Remote;
import java.io.Serializable;

/** The orders of a shop. */
@Remote
@ReadOnly
public interface Orders {

    /**
     * An order.
     *
     * @param number its number
     * @param customer the number of its customer
     * @param amount the price
     */
    record Order(long number, int customer, double amount) implements Serializable {}

    /** The numbers of the orders of a day. */
    long[] ofDay(int day);

    /** One order. */
    Order order(long number);
}
