package dev.cleave.node;

import static java.util.Objects.requireNonNull;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.cleave.CallException;
import dev.cleave.call.Failures;
import dev.cleave.call.Link;
import dev.cleave.call.LinkContext;
import dev.cleave.call.LinkOwner;
import dev.cleave.call.RemoteInterface;
import dev.cleave.client.BrokerSession;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Hello;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Route;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Where others dial a node, and what the broker is told of it. Listens when that is first needed. Thread-safe. */
final class NodeEntrance implements AutoCloseable {

    private static final int LEASE_MILLIS = 60_000;

    private final BrokerSession broker;
    private final Place place;

    @GuardedBy("this")
    private @Nullable Listener listener;

    private volatile @Nullable Endpoint told; // where others dial this node; written under the lock of this

    /**
     * Where and how to listen.
     *
     * @param transport accepts connections
     * @param address where, as options and environment say
     * @param context what the links share
     * @param owner handles their frames
     */
    record Place(Transport transport, Address address, LinkContext context, LinkOwner owner) {

        Place {
            requireNonNull(transport, "transport");
            requireNonNull(address, "address");
            requireNonNull(context, "context");
            requireNonNull(owner, "owner");
        }
    }

    NodeEntrance(BrokerSession broker, Place place) {
        this.broker = requireNonNull(broker, "broker");
        this.place = requireNonNull(place, "place");
    }

    /**
     * Registers a replica of a service, with the address to dial unless its calls are relayed.
     *
     * @throws dev.cleave.CallException if the broker refuses
     */
    void register(RemoteInterface contract, Route route) {
        Hello self = place.context().hello();
        List<String> endpoints =
                route == Route.RELAY ? List.of() : List.of(listen(contract.service()).toString());
        broker.register(id -> new RegisterReplica(
                id,
                contract.service(),
                self.node(),
                self.incarnation(),
                endpoints,
                contract.type().getName(),
                contract.keys(),
                LEASE_MILLIS));
    }

    /** Listens, for a service to be bound, and returns the address to tell. */
    private synchronized Endpoint listen(String service) {
        Endpoint known = told;
        if (known != null) {
            return known;
        }
        Connection way = broker.link().orElseThrow(() -> lost(service)).connection();
        String here = way.localHost();
        Hello self = place.context().hello();
        Endpoint at = way.peer().scheme().equals("local")
                ? Endpoint.local(self.node() + "-" + Long.toHexString(self.incarnation()))
                : place.address().listening(here);
        Transport transport = place.transport();
        Exposure.check(at, place.address().insecure() || transport.identity() != null);
        Listener made = Link.listen(transport, at, place.context(), place.owner());
        listener = made;
        known = place.address().told(made.endpoint(), here);
        told = known;
        return known;
    }

    private static CallException lost(String service) {
        return Failures.exception(
                ErrorCode.CONNECTION_LOST,
                CallException.Execution.NOT_EXECUTED,
                "no connection to the broker",
                new CallException.CallSite(service, "Node.bind", null, true),
                null);
    }

    /** Returns the endpoint at which the node can be dialled, or an empty text. */
    String dialled() {
        Endpoint known = told;
        return known == null ? "" : known.toString();
    }

    /** Accepts no more connections. */
    @Override
    public synchronized void close() {
        Listener known = listener;
        if (known != null) {
            known.close();
        }
    }
}
