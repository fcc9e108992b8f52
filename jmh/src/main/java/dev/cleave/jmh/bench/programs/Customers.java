package dev.cleave.jmh.bench.programs;

import dev.cleave.ReadOnly;
import dev.cleave.Remote;
import java.io.Serializable;

/** The customers of a shop. */
@Remote
@ReadOnly
public interface Customers {

    /**
     * A customer.
     *
     * @param name the name
     * @param region where the customer lives
     */
    record Customer(String name, String region) implements Serializable {}

    /** One customer. */
    Customer customer(int number);
}
