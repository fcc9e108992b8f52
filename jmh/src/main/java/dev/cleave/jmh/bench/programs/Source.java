package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** Where records come from. */
@Remote
@Async
public interface Source {

    /** How many records there are. */
    int count();

    /** A record: name, city and amount, with semicolons between them. */
    String row(int number);
}
