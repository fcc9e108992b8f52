package dev.cleave.jmh.bench.programs;

import dev.cleave.Async;
import dev.cleave.Remote;

/** Messages to users. */
@Remote
@Async
public interface Messages {

    /** How many messages the user has not read. */
    int unread(long user);

    /** The first line of the newest message. */
    String newest(long user);
}
