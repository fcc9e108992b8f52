package dev.cleave.spring;

import dev.cleave.Async;
import dev.cleave.Remote;

/** What the applications of these tests call. */
@Remote
public interface Inventory {

    @Async
    String item(int number);
}
