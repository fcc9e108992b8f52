package dev.cleave.node;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.TransportException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/** Refuses to listen at addresses that other machines can reach, unless that was allowed. */
final class Exposure {

    private static final String PROPERTY = "cleave.insecure";

    private Exposure() {}

    /**
     * Checks the address at which a node is about to listen.
     *
     * @param isAllowed whether the options allow it, or connections are encrypted
     * @throws IllegalArgumentException if other machines reach it and neither the options nor the system property allow that
     * @throws TransportException if the host is unknown
     */
    static void check(Endpoint endpoint, boolean isAllowed) {
        if (isAllowed || Boolean.getBoolean(PROPERTY) || !endpoint.scheme().equals("tcp")) {
            return;
        }
        boolean loopback;
        try {
            loopback = InetAddress.getByName(endpoint.host()).isLoopbackAddress();
        } catch (UnknownHostException e) {
            throw new TransportException(endpoint + ": unknown host", e);
        }
        if (!loopback) {
            throw new IllegalArgumentException("endpoint: " + endpoint + " (expected: localhost, or keys (-Dcleave.keys=DIR,"
                    + " see cleave keys), or permission for peers without encryption and identity: --insecure,"
                    + " NodeOptions.withInsecure() or -D"
                    + PROPERTY
                    + "=true)");
        }
    }
}
