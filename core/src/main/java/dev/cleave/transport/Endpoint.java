package dev.cleave.transport;

import static java.util.Objects.requireNonNull;

import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The address of a peer, written {@code scheme://host:port}.
 *
 * @param scheme {@code tcp} ({@code cleave} is another word for it), or {@code local}. A peer that dials a port may
 * also select the transport: {@code unix} for the unix domain socket beside it, {@code inet} for TCP and nothing else,
 * {@code udp} for datagrams for frames that fit into one, the name of a class for a transport of the application. A peer that dialled by a unix domain socket is
 * {@code unix}
 * @param host a host name or address; for {@code local} the name of a listener in this process
 * @param port 0 to 65,535; 0 only to listen
 * @param identity the identity that the peer must prove, or null; in text before the host:
 * {@code tcp://identity@host:port}
 */
public record Endpoint(
        String scheme, String host, int port, @Nullable String identity) {

    /** The port of a broker unless another is named. */
    public static final int DEFAULT_PORT = 7420;

    private static final Set<String> SCHEMES = Set.of("tcp", "local", "unix", "inet", "udp");

    /** Checks its components. */
    public Endpoint {
        requireNonNull(scheme, "scheme");
        requireNonNull(host, "host");
        if (!SCHEMES.contains(scheme) && scheme.indexOf('.') <= 0) {
            throw new IllegalArgumentException("scheme: " + scheme + " (expected: tcp, cleave or local)");
        }
        if (host.isEmpty()) {
            throw new IllegalArgumentException("host: empty (expected: a name or an address)");
        }
        if (port < 0 || port > 0xffff) {
            throw new IllegalArgumentException("port: " + port + " (expected: 0..65535)");
        }
    }

    /** An endpoint whose peer may have any identity. */
    public Endpoint(String scheme, String host, int port) {
        this(scheme, host, port, null);
    }

    /** A TCP endpoint. */
    public static Endpoint tcp(String host, int port) {
        return new Endpoint("tcp", host, port);
    }

    /** The endpoint of a listener in this process. */
    public static Endpoint local(String name) {
        return new Endpoint("local", name, 0);
    }

    /** The text of an address in an endpoint: of numbers, IPv6 in brackets. */
    public static String hostOf(InetAddress address) {
        String text = address.getHostAddress();
        return text.indexOf(':') < 0 ? text : "[" + text.replaceFirst("%.*", "") + "]";
    }

    /** The same port with another scheme. */
    public Endpoint by(String other) {
        return new Endpoint(other, host, port, identity);
    }

    /** The same endpoint, of a peer that must prove an identity; null for any peer. */
    public Endpoint of(@Nullable String other) {
        return new Endpoint(scheme, host, port, other);
    }

    /** The endpoint of the in-process listener that belongs to a port. */
    public Endpoint nearby() {
        return local(host + ":" + port);
    }

    /**
     * Reads {@code cleave://[identity@]host[:port]}, {@code tcp://...} or {@code local://name}.
     *
     * @throws IllegalArgumentException if the text is none of these; the message quotes it
     */
    public static Endpoint parse(String text) {
        try {
            URI uri = URI.create(text);
            if (uri.getScheme() == null || uri.getHost() == null) {
                throw new IllegalArgumentException("no scheme or no host");
            }
            String scheme = uri.getScheme().equals("cleave") ? "tcp" : uri.getScheme();
            int port = uri.getPort() >= 0 ? uri.getPort() : scheme.equals("tcp") ? DEFAULT_PORT : 0;
            return new Endpoint(scheme, uri.getHost(), port, uri.getUserInfo());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "endpoint: " + text + " (expected: cleave://host:port): " + e.getMessage(), e);
        }
    }

    /**
     * Reads one endpoint or several of one cluster: {@code cleave://host[:port],host[:port]}.
     *
     * @throws IllegalArgumentException as {@link #parse}
     */
    public static List<Endpoint> parseAll(String text) {
        int begin = text.indexOf("://");
        String scheme = begin < 0 ? "" : text.substring(0, begin + 3);
        List<Endpoint> endpoints = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            String each = part.strip();
            endpoints.add(parse(each.startsWith(scheme) ? each : scheme + each));
        }
        return List.copyOf(endpoints);
    }

    /** Compares components, as any record does, without linking a call site at the start of a program. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Endpoint that
                && port == that.port
                && host.equals(that.host)
                && scheme.equals(that.scheme)
                && Objects.equals(identity, that.identity);
    }

    @Override
    public int hashCode() {
        return ((scheme.hashCode() * 31 + host.hashCode()) * 31 + port) * 31 + Objects.hashCode(identity);
    }

    @Override
    public String toString() {
        String name = identity == null
                ? ""
                : URLEncoder.encode(identity, StandardCharsets.UTF_8).replace("+", "%20") + "@";
        return scheme.equals("local") ? "local://" + host : scheme + "://" + name + host + ":" + port;
    }
}
