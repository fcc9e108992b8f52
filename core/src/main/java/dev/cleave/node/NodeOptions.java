package dev.cleave.node;

import static java.util.Objects.requireNonNull;

import dev.cleave.config.Bindings;
import dev.cleave.config.KeyFiles;
import dev.cleave.intercept.Interceptors;
import dev.cleave.server.Server;
import dev.cleave.stream.ReceiveBudget;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import dev.cleave.wire.Names;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The options of a new node.
 *
 * @param brokers the broker, or some of those of a cluster; none to look for one as {@link Node#connect()} does
 * @param bindings the application file
 * @param name the node's name, and that of its replicas, or null to generate one
 * @param address where it listens, and what clients dial
 * @param capacity how many calls run and wait
 * @param transport how it connects, or null for TCP over the link that the file puts before a replica of this name; a
 * given transport is used as it is, and the caller closes it
 * @param budget the bound of the bytes of large values on their way to it
 * @param patience how long {@link Node#connect} waits for the broker, and {@link Node#lookup} for a service
 * @param keys the files for encrypted connections, or null for those that system properties, environment variables or the
 * application file name, if they do
 * @param interceptors what stands around its calls and the methods of its objects, in order
 * @param admin where it answers questions about its state, and what it does when its process is to end
 */
public record NodeOptions(
        List<Endpoint> brokers,
        Bindings bindings,
        @Nullable String name,
        Address address,
        Server.Capacity capacity,
        @Nullable Transport transport,
        ReceiveBudget budget,
        Duration patience,
        @Nullable KeyFiles keys,
        Interceptors interceptors,
        Admin admin) {

    /** The system property that gives the {@link #withPatience patience} of nodes whose options do not, in seconds. */
    public static final String PATIENCE_PROPERTY = "cleave.patience";

    /** The default options. */
    public static final NodeOptions DEFAULT = new NodeOptions(
            List.of(),
            Bindings.NONE,
            null,
            Address.DEFAULT,
            Server.Capacity.DEFAULT,
            null,
            ReceiveBudget.configured(),
            Duration.ofSeconds(Integer.getInteger(PATIENCE_PROPERTY, 30)),
            null,
            Interceptors.NONE,
            Admin.CONFIGURED);

    /** Checks its components. */
    public NodeOptions {
        brokers = List.copyOf(brokers);
        requireNonNull(bindings, "bindings");
        requireNonNull(address, "address");
        requireNonNull(capacity, "capacity");
        if (name != null) {
            Names.check("name", name);
        }
        requireNonNull(budget, "budget");
        requireNonNull(interceptors, "interceptors");
        requireNonNull(admin, "admin");
        if (patience.isNegative()) {
            throw new IllegalArgumentException("patience: " + patience + " (expected: zero or more)");
        }
    }

    /** These with another broker. */
    public NodeOptions withBroker(Endpoint other) {
        return withBrokers(List.of(other));
    }

    /** These with other brokers, of one cluster: the node dials one of them, and is told of all. */
    public NodeOptions withBrokers(List<Endpoint> others) {
        return new NodeOptions(
                others, bindings, name, address, capacity, transport, budget, patience, keys, interceptors, admin);
    }

    /** These with another application file. */
    public NodeOptions withBindings(Bindings other) {
        return new NodeOptions(
                brokers, other, name, address, capacity, transport, budget, patience, keys, interceptors, admin);
    }

    /** These with another name. */
    public NodeOptions withName(String other) {
        return new NodeOptions(
                brokers, bindings, other, address, capacity, transport, budget, patience, keys, interceptors, admin);
    }

    /**
     * These with a host that is told to other nodes, which dial it: a name or an address by which they reach this node, such as that
     * of a forwarded port. The system property {@code cleave.host} and the environment variable {@code CLEAVE_HOST} say
     * the same of all nodes of a process. Without it a node tells the address by which it reaches its broker.
     *
     * @throws IllegalArgumentException if it is a wildcard
     */
    public NodeOptions withHost(String other) {
        return with(new Address(other, address.listenHost(), address.port(), address.insecure()));
    }

    /**
     * These with another host to listen at. Without it a node listens at its {@link #withHost host} if that is of this
     * machine, else at all addresses; and without either at the address by which it reaches its broker.
     */
    public NodeOptions withListenHost(String other) {
        return with(new Address(address.host(), other, address.port(), address.insecure()));
    }

    /**
     * These with another port to listen at; 0, the default, for any free one. The system property {@code cleave.port}
     * says the same of the node of a process.
     */
    public NodeOptions withPort(int other) {
        return with(new Address(address.host(), address.listenHost(), other, address.insecure()));
    }

    /** These with another number of workers and of calls that wait for them. */
    public NodeOptions withCapacity(int workers, int queue) {
        return new NodeOptions(
                brokers,
                bindings,
                name,
                address,
                new Server.Capacity(workers, queue),
                transport,
                budget,
                patience,
                keys,
                interceptors,
                admin);
    }

    /** These with another transport, which the caller closes. */
    public NodeOptions withTransport(Transport other) {
        return new NodeOptions(
                brokers, bindings, name, address, capacity, other, budget, patience, keys, interceptors, admin);
    }

    /**
     * These with another bound for large values: values above 64 KiB that are on their way to the node, or wait there
     * for a worker, may have at most this many bytes together. Calls that would exceed it are refused, unexecuted.
     */
    public NodeOptions withArriving(long bytes) {
        return new NodeOptions(
                brokers,
                bindings,
                name,
                address,
                capacity,
                transport,
                new ReceiveBudget(bytes),
                patience,
                keys,
                interceptors,
                admin);
    }

    /**
     * These for a node that may listen where other machines reach it, though there is neither encryption nor identity. The system property
     * {@code cleave.insecure=true} says the same of all nodes of a process.
     */
    public NodeOptions withInsecure() {
        return with(new Address(address.host(), address.listenHost(), address.port(), true));
    }

    /**
     * These with another time for which {@link Node#connect} waits for a broker that does not answer yet, and {@link Node#lookup} for
     * a service that the broker does not know yet: so processes may start in any order. 30 seconds unless the system
     * property {@value #PATIENCE_PROPERTY} gives another number of seconds; zero waits for neither.
     */
    public NodeOptions withPatience(Duration other) {
        return new NodeOptions(
                brokers, bindings, name, address, capacity, transport, budget, other, keys, interceptors, admin);
    }

    /**
     * These with files for connections that are encrypted, with TLS 1.3, between peers that prove their identities. They
     * are read again when they change.
     */
    public NodeOptions withKeys(KeyFiles other) {
        return new NodeOptions(
                brokers, bindings, name, address, capacity, transport, budget, patience, other, interceptors, admin);
    }

    /**
     * These with one more interceptor or carrier, inside of those that were there before.
     *
     * @param next a {@link dev.cleave.intercept.ClientInterceptor}, {@link dev.cleave.intercept.ServerInterceptor} or {@link
     *     dev.cleave.intercept.ContextCarrier}, or several of them in one
     */
    public NodeOptions withInterceptor(Object next) {
        return with(interceptors.and(next), admin);
    }

    /** These with other interceptors and carriers, in place of all that were there before. */
    public NodeOptions withInterceptors(Interceptors others) {
        return with(others, admin);
    }

    /**
     * These with keys of SLF4J's {@code MDC} that travel with calls, besides those that the application file and the system property
     * {@code cleave.mdc} name. Both sides name them; without SLF4J on the class path none travel, which is logged.
     */
    public NodeOptions withMdc(List<String> keys) {
        MdcCarrier carrier = keys.isEmpty() ? null : MdcCarrier.of(keys);
        return carrier == null ? this : withInterceptor(carrier);
    }

    /**
     * These with another port, on loopback, at which the node answers {@code /ready}, {@code /live} and {@code /metrics}; 0 for
     * one that the system chooses.
     */
    public NodeOptions withAdmin(int port) {
        return with(interceptors, new Admin(port, admin.host(), admin.drainsAtExit()));
    }

    /**
     * These for a node that drains, or does not, when its process gets SIGTERM or calls {@link System#exit} while it serves;
     * without a word it does.
     */
    public NodeOptions withDrainAtExit(boolean drains) {
        return with(interceptors, new Admin(admin.port(), admin.host(), drains));
    }

    private NodeOptions with(Interceptors others, Admin other) {
        return new NodeOptions(
                brokers, bindings, name, address, capacity, transport, budget, patience, keys, others, other);
    }

    private NodeOptions with(Address other) {
        return new NodeOptions(
                brokers, bindings, name, other, capacity, transport, budget, patience, keys, interceptors, admin);
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

        /** The settings of properties and file; drains. */
        public static final Admin CONFIGURED = new Admin(null, null, true);

        /** Checks its components. */
        public Admin {
            if (port != null && (port < 0 || port > 65_535)) {
                throw new IllegalArgumentException("admin: port " + port + " (expected: 0..65535)");
            }
        }
    }
}
