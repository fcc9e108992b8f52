package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;
import java.io.Serializable;
import java.util.List;

/** Buyers, what they have bought, and what it costs, as records with lists. */
@Remote
@Async
public interface Trade {

    /** A buyer, with the numbers of the purchases. */
    record Buyer(String name, List<Long> purchases) implements Serializable {}

    /** A purchase. */
    record Purchase(long number, List<Item> items) implements Serializable {}

    /** An item of a purchase. */
    record Item(String article, int quantity) implements Serializable {}

    /**
     * A buyer.
     *
     * @throws IllegalArgumentException if there is none of that number
     */
    Buyer buyer(int number);

    /** A purchase. */
    Purchase purchase(long number);

    /** Returns the price of one piece of an article. */
    double cost(String article);
}
