package dev.cleave.transport;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.concurrent.Timer;
import dev.cleave.wire.Hello;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Opens connections with a handshake: both send HELLO first and agree on a version, then the real handler
 * takes over. Used by clients, servers and brokers alike.
 *
 * <p>A peer is disconnected if it has not sent a complete HELLO within {@link #TIME_LIMIT}, however slowly it sends, or
 * if it sends anything else or more than {@value dev.cleave.wire.Header#HELLO_LIMIT} bytes. If more than
 * {@value #MAX_STRANGERS} accepted connections have sent no HELLO, the oldest of them is disconnected: so a crowd of
 * silent peers keeps no other peer out. If the peer can still understand it, a GOAWAY says why.
 *
 * <p>Thread-safe.
 */
public final class Handshake {

    /** How long a peer may take to say HELLO after the connection has opened. */
    public static final Duration TIME_LIMIT = Duration.ofSeconds(5);

    /** How many accepted connections may be without HELLO at the same time. */
    public static final int MAX_STRANGERS = 1024;

    private static final System.Logger LOG = SafeLog.of(Handshake.class);

    private final Hello own;
    private final Timer timer;

    /** The accepted connections without HELLO, in order of arrival. */
    @GuardedBy("strangers")
    private final Map<Connection, Greeting> strangers = new LinkedHashMap<>();

    /**
     * Creates the handshake of one node.
     *
     * @param own the HELLO of this side
     * @param timer bounds the wait for the other side's HELLO
     */
    public Handshake(Hello own, Timer timer) {
        this.own = requireNonNull(own, "own");
        this.timer = requireNonNull(timer, "timer");
    }

    /**
     * Connects to a peer; blocks until both sides have said HELLO and {@link FrameHandler#onOpen} has been called.
     *
     * @param next gives the handler that takes over, on the event thread
     * @throws TransportException if the peer cannot be reached
     * @throws HandshakeException if the handshake fails
     */
    public Connection connect(Transport transport, Endpoint endpoint, PeerAcceptor next) {
        CompletableFuture<Connection> met = new CompletableFuture<>();
        Connection connection =
                transport.connect(endpoint, new Greeting(own, timer, TIME_LIMIT, next::accept, new Greeting.Outcome() {
                    @Override
                    public void met(Connection established, Peer peer) {
                        met.complete(established);
                    }

                    @Override
                    public void failed(Connection broken, HandshakeException failure) {
                        met.completeExceptionally(failure);
                    }
                }));
        try {
            return met.get();
        } catch (ExecutionException e) {
            throw (HandshakeException) e.getCause();
        } catch (InterruptedException e) {
            connection.close();
            Thread.currentThread().interrupt();
            throw new TransportException(endpoint + ": interrupted while connecting", e);
        }
    }

    /**
     * Accepts peers.
     *
     * @param next gives the handler that takes over for each peer that has said HELLO, on the event thread
     * @throws TransportException if the address is in use or not ours
     */
    public Listener listen(Transport transport, Endpoint endpoint, PeerAcceptor next) {
        return transport.listen(endpoint, connection -> {
            Greeting greeting = new Greeting(own, timer, TIME_LIMIT, next::accept, new Greeting.Outcome() {
                @Override
                public void met(Connection established, Peer peer) {
                    forget(established);
                }

                @Override
                public void failed(Connection broken, HandshakeException failure) {
                    forget(broken);
                    LOG.log(Level.DEBUG, failure.getMessage());
                }
            });
            remember(connection, greeting);
            return greeting;
        });
    }

    /** The number of accepted connections that have not said HELLO yet. */
    public int strangers() {
        synchronized (strangers) {
            return strangers.size();
        }
    }

    private void remember(Connection connection, Greeting greeting) {
        Map.@Nullable Entry<Connection, Greeting> oldest = null;
        synchronized (strangers) {
            if (strangers.size() >= MAX_STRANGERS) {
                oldest = strangers.entrySet().iterator().next();
                strangers.remove(oldest.getKey());
            }
            strangers.put(connection, greeting);
        }
        if (oldest != null) {
            oldest.getValue().turnAway(oldest.getKey());
        }
    }

    private void forget(Connection connection) {
        synchronized (strangers) {
            strangers.remove(connection);
        }
    }

    /** Gives each peer its handler. */
    @FunctionalInterface
    public interface PeerAcceptor {

        /**
         * Called once for a connection, after both HELLOs, on its event thread. The handler's {@link FrameHandler#onOpen}
         * follows at once.
         */
        FrameHandler accept(Connection connection, Peer peer);
    }
}
