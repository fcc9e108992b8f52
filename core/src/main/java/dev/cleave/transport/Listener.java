package dev.cleave.transport;

/** An open door: accepts connections until it is closed. Closing does not touch the connections it has accepted. */
public interface Listener extends AutoCloseable {

    /** The address that peers dial; its port is the real one. */
    Endpoint endpoint();

    @Override
    void close();
}
