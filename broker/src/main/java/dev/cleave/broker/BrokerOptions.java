package dev.cleave.broker;

import static java.util.Objects.requireNonNull;

import dev.cleave.broker.relay.Relay;
import dev.cleave.broker.store.ClusterStore;
import dev.cleave.concurrent.Timer;
import dev.cleave.config.Bindings;
import dev.cleave.config.KeyFiles;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Transport;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of a broker.
 *
 * @param endpoint where it listens; port 0 lets the system choose
 * @param bindings routes and balance policies of the services that they name
 * @param limits the limits of leases and relayed calls
 * @param exposure which machines may reach it
 * @param transport the transport, which the caller closes; null for one of its own that suits the endpoint
 * @param timer the clock, which the caller closes; null for one of its own
 * @param keys the files for encrypted connections; null for those that system properties, environment variables or the
 * application file name, if they do
 * @param cluster the cluster of which it is a member; null for a broker that is alone
 */
public record BrokerOptions(
        Endpoint endpoint,
        Bindings bindings,
        Limits limits,
        Exposure exposure,
        @Nullable Transport transport,
        @Nullable Timer timer,
        @Nullable KeyFiles keys,
        @Nullable Membership cluster) {

    /** The machines that may reach a broker. */
    public enum Exposure {
        /** Only processes of this machine. */
        LOOPBACK,
        /** Every machine that reaches the address, without encryption or authentication. */
        INSECURE
    }

    /**
     * The limits of a broker.
     *
     * @param lease the longest time that a registration lasts without being renewed
     * @param pending the most relayed calls in flight over one connection, in each direction
     */
    public record Limits(Duration lease, int pending) {

        /** 60 seconds, and 65,536 calls. */
        public static final Limits DEFAULT = new Limits(Duration.ofSeconds(60), Relay.MAX_PENDING);

        /** Checks its components. */
        public Limits {
            if (lease.toMillis() < 1 || lease.toMillis() > Integer.MAX_VALUE) {
                throw new IllegalArgumentException("lease: " + lease + " (expected: 1 ms to 24 days)");
            }
            if (pending < 1) {
                throw new IllegalArgumentException("pending: " + pending + " (expected: at least 1)");
            }
        }
    }

    /** Checks its components. */
    public BrokerOptions {
        requireNonNull(endpoint, "endpoint");
        requireNonNull(bindings, "bindings");
        requireNonNull(limits, "limits");
        requireNonNull(exposure, "exposure");
    }

    /** Creates the options of a broker at an endpoint, with defaults for all else. */
    public static BrokerOptions at(Endpoint endpoint) {
        return new BrokerOptions(endpoint, Bindings.NONE, Limits.DEFAULT, Exposure.LOOPBACK, null, null, null, null);
    }

    /** Returns these options with the bindings of an application file. */
    public BrokerOptions with(Bindings other) {
        return new BrokerOptions(endpoint, other, limits, exposure, transport, timer, keys, cluster);
    }

    /** Returns these options with other limits. */
    public BrokerOptions with(Limits other) {
        return new BrokerOptions(endpoint, bindings, other, exposure, transport, timer, keys, cluster);
    }

    /** Returns these options with another exposure. */
    public BrokerOptions with(Exposure other) {
        return new BrokerOptions(endpoint, bindings, limits, other, transport, timer, keys, cluster);
    }

    /** Returns these options with a transport that the caller closes. */
    public BrokerOptions with(Transport other) {
        return new BrokerOptions(endpoint, bindings, limits, exposure, other, timer, keys, cluster);
    }

    /** Returns these options with a clock that the caller closes. */
    public BrokerOptions with(Timer other) {
        return new BrokerOptions(endpoint, bindings, limits, exposure, transport, other, keys, cluster);
    }

    /** Returns these options with the files for connections that are encrypted, between peers that prove their identities. */
    public BrokerOptions with(KeyFiles other) {
        return new BrokerOptions(endpoint, bindings, limits, exposure, transport, timer, other, cluster);
    }

    /** Returns these options for a member of a cluster. */
    public BrokerOptions with(Membership other) {
        return new BrokerOptions(endpoint, bindings, limits, exposure, transport, timer, keys, other);
    }

    /**
     * The settings that make a broker a member of a cluster.
     *
     * @param store the store that all members share; closed with the broker
     * @param host the host that the broker tells to others; null for the one at which it listens
     */
    public record Membership(ClusterStore store, @Nullable String host) {

        /** Checks its components. */
        public Membership {
            requireNonNull(store, "store");
        }
    }
}
