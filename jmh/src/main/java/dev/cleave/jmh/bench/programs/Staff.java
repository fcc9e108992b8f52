package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;
import java.io.Serializable;
import java.util.List;

/** Who works where. */
@Remote
@Async
public interface Staff {

    /**
     * Somebody who works here.
     *
     * @param name the name
     * @param office where
     * @param hours how long
     */
    record Member(String name, String office, double hours) implements Serializable {}

    /** The numbers of the members of a team. */
    List<Integer> members(String team);

    /** One of them. */
    Member member(int number);
}
