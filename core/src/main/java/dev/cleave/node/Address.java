package dev.cleave.node;

import dev.cleave.concurrent.SafeLog;
import dev.cleave.transport.Endpoint;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;

/**
 * Where a node listens, and the address that it tells to others.
 *
 * <p>A node without a {@code host} and {@code listenHost} uses the address of its own end of the connection to the
 * broker: {@code localhost} for a broker on this machine. A wildcard is never told.
 *
 * @param host the host to tell, or null
 * @param listenHost the host to listen at, or null
 * @param port the port to listen at; 0 for any free one
 * @param insecure whether it may listen where other machines reach it, without encryption and identity
 */
public record Address(@Nullable String host, @Nullable String listenHost, int port, boolean insecure) {

    /** The system property that names the host to tell. */
    static final String HOST_PROPERTY = "cleave.host";

    /** The environment variable that names the host to tell. */
    static final String HOST_VARIABLE = "CLEAVE_HOST";

    /** The system property that gives the port to listen at. */
    static final String PORT_PROPERTY = "cleave.port";

    static final Address DEFAULT = new Address(null, null, 0, false);

    private static final System.Logger LOG = SafeLog.of(Address.class);
    private static final String LOOPBACK = "localhost";
    private static final String WILDCARD = "0.0.0.0";

    /** Checks its components. */
    public Address {
        check("host", host);
        check("listenHost", listenHost);
        if (host != null && isWildcard(host)) {
            throw new IllegalArgumentException(
                    "host: " + host + " (expected: an address at which other nodes reach this one; a wildcard is none)");
        }
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0..65535)");
        }
    }

    /** Completes what the options leave open by system properties and environment variables. */
    Address orOfEnvironment() {
        String named = host != null ? host : System.getProperty(HOST_PROPERTY, System.getenv(HOST_VARIABLE));
        int fixed = port != 0 ? port : Integer.getInteger(PORT_PROPERTY, 0);
        return new Address(named, listenHost, fixed, insecure);
    }

    /**
     * Returns where to listen.
     *
     * @param here the address of this end of the connection to the broker; null if that is in this process
     */
    Endpoint listening(@Nullable String here) {
        String at = listenHost;
        if (at == null && host != null) {
            at = isOfThisMachine(host) ? host : WILDCARD; // the address of a forwarded port, or of a load balancer
        } else if (at == null) {
            at = here == null || isLoopback(here) ? LOOPBACK : here;
        }
        return Endpoint.tcp(at, port);
    }

    /**
     * Returns the address to tell.
     *
     * @param listener where the node listens
     * @param here as for {@link #listening}
     */
    Endpoint told(Endpoint listener, @Nullable String here) {
        if (!listener.scheme().equals("tcp")) {
            return listener;
        }
        if (host != null) {
            return Endpoint.tcp(host, listener.port()).of(listener.identity());
        }
        if (!isWildcard(listener.host())) {
            return listener;
        }
        if (here == null || isLoopback(here)) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "this node listens at {0} and tells localhost, since its broker is on this machine: nodes on other"
                            + " machines do not reach it (NodeOptions.withHost or -D{1}=HOST tells another address)",
                    listener,
                    HOST_PROPERTY);
            return Endpoint.tcp(LOOPBACK, listener.port()).of(listener.identity());
        }
        return Endpoint.tcp(here, listener.port()).of(listener.identity());
    }

    private static void check(String what, @Nullable String host) {
        if (host != null && host.isBlank()) {
            throw new IllegalArgumentException(what + ": empty (expected: a name or an address)");
        }
    }

    private static boolean isWildcard(String host) {
        return host.equals("*") || isAddressOfNumbers(host) && byName(host).isAnyLocalAddress();
    }

    private static boolean isAddressOfNumbers(String host) {
        return host.indexOf(':') >= 0 || host.matches("[0-9.]+");
    }

    private static boolean isLoopback(String host) {
        return byName(host).isLoopbackAddress();
    }

    private static boolean isOfThisMachine(String host) {
        try {
            return NetworkInterface.getByInetAddress(InetAddress.getByName(host)) != null;
        } catch (UnknownHostException | SocketException e) {
            return false;
        }
    }

    private static InetAddress byName(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("host: " + host + " (expected: a name that resolves, or an address)", e);
        }
    }
}
