package dev.cleave.transport.netty;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.TransportException;
import io.netty.channel.ConnectTimeoutException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.Locale;

/** Writes one-line messages: why a peer was not reached or a port not opened, and what to do. */
final class Problems {

    private Problems() {}

    static TransportException unknownHost(Endpoint endpoint) {
        return new TransportException(
                endpoint + ": unknown host " + endpoint.host() + " (expected: a name that resolves, or an address)",
                null);
    }

    static TransportException connect(Endpoint endpoint, Duration timeout, Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            return new TransportException(
                    endpoint + ": no answer within " + timeout.toMillis() + " ms (check host, port and firewall)",
                    cause);
        }
        if (cause instanceof ConnectException && mentions(cause, "refused")) {
            return new TransportException(
                    endpoint + ": connection refused, nobody listens there (start the peer, or check host and port)",
                    cause);
        }
        return new TransportException(endpoint + ": cannot connect: " + reason(cause), cause);
    }

    static TransportException noUnixSocket(Endpoint endpoint) {
        return new TransportException(
                endpoint
                        + ": no unix domain socket there (expected: a peer on this host, of this user, with epoll; or transport: auto)",
                null);
    }

    static TransportException listen(Endpoint endpoint, Throwable cause) {
        if (mentions(cause, "in use")) {
            return new TransportException(
                    endpoint + ": the port is in use (stop who listens there, or choose another port)", cause);
        }
        if (mentions(cause, "assign requested")) {
            return new TransportException(
                    endpoint + ": not an address of this machine (choose one that is, or localhost)", cause);
        }
        return new TransportException(endpoint + ": cannot listen: " + reason(cause), cause);
    }

    private static boolean mentions(Throwable cause, String words) {
        return reason(cause).toLowerCase(Locale.ROOT).contains(words);
    }

    private static String reason(Throwable cause) {
        String message = cause.getMessage();
        return message == null ? cause.getClass().getSimpleName() : message;
    }
}
