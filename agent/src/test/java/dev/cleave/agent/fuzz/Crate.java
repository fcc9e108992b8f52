package dev.cleave.agent.fuzz;

import java.io.Serializable;
import java.util.List;
import java.util.Map;

/** A result that holds collections. */
public record Crate(int number, List<Integer> keys, List<Crate.Item> items, Map<Integer, Integer> marks)
        implements Serializable {

    /** An element of a collection of a result. */
    public record Item(int key, List<Integer> tags) implements Serializable {}

    /** Returns the same for the same number. */
    public static Crate of(int number) {
        int key = number & 15;
        return new Crate(
                number,
                List.of(key, key + 1),
                List.of(new Item(key, List.of(1, key)), new Item(key / 2, List.of(key))),
                Map.of(key % 4, number & 7));
    }
}
