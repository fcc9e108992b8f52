package dev.cleave.transport.netty;

import dev.cleave.transport.Endpoint;
import dev.cleave.transport.TransportException;
import dev.cleave.wire.Names;
import io.netty.channel.ConnectTimeoutException;
import io.netty.handler.ssl.NotSslRecordException;
import java.net.ConnectException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.Locale;
import javax.net.ssl.SSLException;

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
                    endpoint + ": connection refused, no listener there (start the peer, or check host and port)",
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

    /** Returns the reason why a TLS handshake failed, printable. */
    static String tls(Throwable cause) {
        Throwable last = cause;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        if (last instanceof NotSslRecordException) {
            return "the peer does not speak TLS (expected: keys on both sides, or on none)";
        }
        if (last instanceof ClosedChannelException) {
            return "the peer closed it before the handshake was complete";
        }
        return Names.shown(reason(last));
    }

    static TransportException refusedByTls(Endpoint endpoint, Throwable cause) {
        return TransportException.reached(
                endpoint + ": " + tls(cause),
                cause instanceof SSLException ? cause : new SSLException(tls(cause), cause));
    }

    static TransportException noIdentity(Endpoint endpoint) {
        return new TransportException(
                endpoint + ": no identity (expected: tcp://IDENTITY@host:port, since this side has keys)", null);
    }

    static TransportException noCertificate(Endpoint endpoint) {
        return new TransportException(
                endpoint + ": this side has a token and no certificate, so that nobody can dial it (expected: a"
                        + " certificate, or route: relay for its services)",
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
