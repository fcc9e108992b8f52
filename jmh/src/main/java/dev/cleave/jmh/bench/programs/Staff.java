package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;
import java.io.Serializable;
import java.util.List;

/** The staff of offices. */
@Remote
@Async
public interface Staff {

    /**
     * A member of the staff.
     *
     * @param name the name
     * @param office the office
     * @param hours the hours a week
     */
    record Member(String name, String office, double hours) implements Serializable {}

    /** The numbers of the members of a team. */
    List<Integer> members(String team);

    /** One of them. */
    Member member(int number);
}
