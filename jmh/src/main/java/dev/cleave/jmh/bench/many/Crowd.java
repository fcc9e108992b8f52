package dev.cleave.jmh.bench.many;

import dev.cleave.Async;
import dev.cleave.Remote;

/** The service of a server with many clients, in addition to echoes. */
@Remote
public interface Crowd {

    /** Returns while the gate is open. */
    @Async
    void hold();

    /** Opens or shuts the gate; it is shut at first. */
    void gate(boolean open);

    /** The bytes of the heap that are in use after a collection. */
    long heap();

    /** Binds {@code count} more services, or unbinds services if it is negative. */
    void services(int count);
}
