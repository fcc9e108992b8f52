package dev.cleave.node;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.Bindings;
import dev.cleave.intercept.Interceptors;
import dev.cleave.server.Server;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.wire.Names;
import org.jspecify.annotations.Nullable;

/**
 * The options of a new node.
 *
 * @param broker the broker, or null to look for one as {@link Node#connect()} does
 * @param bindings the application file
 * @param name the node's name, and that of its replicas, or null to generate one
 * @param listenHost where it listens, and what clients dial
 * @param capacity how many calls run and wait
 * @param transport how it connects, or null for TCP over the link that the file puts before a replica of this name; a
 * given transport is used as it is, and the caller closes it
 * @param budget the bound of the bytes of large values on their way to it
 * @param insecure whether it may listen where other machines reach it, without encryption and identity
 * @param interceptors what stands around its calls and the methods of its objects, in order
 * @param admin where it answers questions about its state, and what it does when its process is to end
 */
public record NodeOptions(
        @Nullable Endpoint broker,
        Bindings bindings,
        @Nullable String name,
        String listenHost,
        Server.Capacity capacity,
        @Nullable Transport transport,
        ReceiveBudget budget,
        boolean insecure,
        Interceptors interceptors,
        Admin admin) {

    /** The default options. */
    public static final NodeOptions DEFAULT = new NodeOptions(
            null, Bindings.NONE, null, "localhost", Server.Capacity.DEFAULT, null, ReceiveBudget.configured(), false, Interceptors.NONE, Admin.CONFIGURED);

    /** Checks its components. */
    public NodeOptions {
        requireNonNull(bindings, "bindings");
        requireNonNull(listenHost, "listenHost");
        requireNonNull(capacity, "capacity");
        if (name != null) {
            Names.check("name", name);
        }
        requireNonNull(budget, "budget");
        requireNonNull(interceptors, "interceptors");
        requireNonNull(admin, "admin");
        if (listenHost.isEmpty()) {
            throw new IllegalArgumentException("listenHost: empty (expected: a name or an address)");
        }
    }

    /** These with another broker. */
    public NodeOptions withBroker(Endpoint other) {
        return new NodeOptions(other, bindings, name, listenHost, capacity, transport, budget, insecure, interceptors, admin);
    }

    /** These with another application file. */
    public NodeOptions withBindings(Bindings other) {
        return new NodeOptions(broker, other, name, listenHost, capacity, transport, budget, insecure, interceptors, admin);
    }

    /** These with another name. */
    public NodeOptions withName(String other) {
        return new NodeOptions(broker, bindings, other, listenHost, capacity, transport, budget, insecure, interceptors, admin);
    }

    /** These with another host to listen on. */
    public NodeOptions withListenHost(String other) {
        return new NodeOptions(broker, bindings, name, other, capacity, transport, budget, insecure, interceptors, admin);
    }

    /** These with another number of workers and of calls that wait for them. */
    public NodeOptions withCapacity(int workers, int queue) {
        return new NodeOptions(
                broker, bindings, name, listenHost, new Server.Capacity(workers, queue), transport, budget, insecure, interceptors, admin);
    }

    /** These with another transport, which the caller closes. */
    public NodeOptions withTransport(Transport other) {
        return new NodeOptions(broker, bindings, name, listenHost, capacity, other, budget, insecure, interceptors, admin);
    }

    /**
     * These with another bound for large values: values above 64 KiB that are on their way to the node, or wait there
     * for a worker, may have at most this many bytes together. Calls that would exceed it are refused, unexecuted.
     */
    public NodeOptions withArriving(long bytes) {
        return new NodeOptions(
                broker, bindings, name, listenHost, capacity, transport, new ReceiveBudget(bytes), insecure, interceptors, admin);
    }

    /**
     * These for a node that may listen where other machines reach it, though there is neither encryption nor identity. The system property
     * {@code cleave.insecure=true} says the same of all nodes of a process.
     */
    public NodeOptions withInsecure() {
        return new NodeOptions(broker, bindings, name, listenHost, capacity, transport, budget, true, interceptors, admin);
    }

    /**
     * These with one more interceptor or carrier, inside of those that were there before.
     *
     * @param next a {@link dev.cleave.intercept.ClientInterceptor}, {@link dev.cleave.intercept.ServerInterceptor} or {@link
     *     dev.cleave.intercept.ContextCarrier}, or several of them in one
     */
    public NodeOptions withInterceptor(Object next) {
        return new NodeOptions(
                broker, bindings, name, listenHost, capacity, transport, budget, insecure, interceptors.and(next), admin);
    }

    /**
     * These with another port, on loopback, at which the node answers {@code /ready}, {@code /live} and {@code /metrics}; 0 for
     * one that the system chooses.
     */
    public NodeOptions withAdmin(int port) {
        return new NodeOptions(
                broker,
                bindings,
                name,
                listenHost,
                capacity,
                transport,
                budget,
                insecure,
                interceptors,
                new Admin(port, admin.host(), admin.drainsAtExit()));
    }

    /**
     * These for a node that drains, or does not, when its process gets SIGTERM or calls {@link System#exit} while it serves;
     * without a word it does.
     */
    public NodeOptions withDrainAtExit(boolean drains) {
        return new NodeOptions(
                broker,
                bindings,
                name,
                listenHost,
                capacity,
                transport,
                budget,
                insecure,
                interceptors,
                new Admin(admin.port(), admin.host(), drains));
    }

    /**
     * Where a node answers questions about its state, and what it does when its process is to end.
     *
     * @param port of the admin server; null for what the system property {@code cleave.admin} or the file says, 0 for one that the
     *     system chooses
     * @param host where it listens; null for what the system property {@code cleave.admin.host} says, else loopback
     * @param drainsAtExit whether it drains
     */
    public record Admin(@Nullable Integer port, @Nullable String host, boolean drainsAtExit) {

        /** As properties and file say; drains. */
        public static final Admin CONFIGURED = new Admin(null, null, true);

        /** Checks its components. */
        public Admin {
            if (port != null && (port < 0 || port > 65_535)) {
                throw new IllegalArgumentException("admin: port " + port + " (expected: 0..65535)");
            }
        }
    }
}
