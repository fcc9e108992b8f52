package dev.cleave.transport;

/** Accepts connections until it is closed. Closing does not affect connections that it has accepted. */
public interface Listener extends AutoCloseable {

    /** The address that peers dial; its port is the real one. */
    Endpoint endpoint();

    @Override
    void close();
}
