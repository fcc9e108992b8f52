package dev.cleave.jmh.bench.many;

import dev.cleave.Async;
import dev.cleave.Remote;

/** What a server with many clients is asked besides echoes. */
@Remote
public interface Crowd {

    /** Returns while the gate is open. */
    @Async
    void hold();

    /** Opens or shuts the gate; it is shut at first. */
    void gate(boolean open);

    /** The bytes of the heap that are in use after a collection. */
    long heap();

    /** Binds so many services more, or unbinds as many if negative. */
    void services(int count);
}
