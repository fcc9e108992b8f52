package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** News for all users. */
@Remote
@Async
public interface Press {

    /** The news. */
    String headline(String language);

    /** The weather. */
    String weather(String city);

    /** How many users are here. */
    int visitors();
}
