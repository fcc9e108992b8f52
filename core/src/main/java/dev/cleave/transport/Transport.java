package dev.cleave.transport;

import org.jspecify.annotations.Nullable;

/**
 * A way to reach a peer and to be reached.
 *
 * <p>Thread-safe. Closing a transport closes its listeners and connections. The length of every frame is checked before
 * anything is allocated for it; the first frame of a connection may have {@value dev.cleave.wire.Header#HELLO_LIMIT}
 * bytes, each later one the limit of its kind.
 */
public interface Transport extends AutoCloseable {

    /**
     * Connects to a peer; blocks until the connection stands and {@link FrameHandler#onOpen} has been called. Not to be
     * called on an event thread. If connecting fails the handler is not called.
     *
     * @param endpoint the address of the peer
     * @param handler receives the frames and the end of the connection
     * @throws TransportException if the peer cannot be reached within the transport's connect time-out; its message
     *     names the endpoint
     */
    Connection connect(Endpoint endpoint, FrameHandler handler);

    /**
     * Accepts connections.
     *
     * @param endpoint the address to listen at; port 0 lets the system choose
     * @param acceptor asked for a handler for each connection, on the connection's event thread
     * @throws TransportException if the address is in use or not ours; its message names the endpoint
     */
    Listener listen(Endpoint endpoint, Acceptor acceptor);

    /** The identity that this side proves to its peers, which then prove theirs; null if neither side does. */
    default @Nullable String identity() {
        return null;
    }

    @Override
    void close();

    /** Gives each accepted connection its handler. */
    @FunctionalInterface
    interface Acceptor {

        /** Called once for a connection, before any of its frames, on its event thread. */
        FrameHandler accept(Connection connection);
    }
}
