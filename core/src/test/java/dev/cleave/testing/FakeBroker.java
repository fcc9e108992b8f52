package dev.cleave.testing;

import dev.cleave.concurrent.SystemTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Handshake;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Frame;
import dev.cleave.wire.Header;
import dev.cleave.wire.Hello;
import dev.cleave.wire.Lease;
import dev.cleave.wire.Load;
import dev.cleave.wire.Lookup;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Pong;
import dev.cleave.wire.RegisterReplica;
import dev.cleave.wire.Registered;
import dev.cleave.wire.ReplicaState;
import dev.cleave.wire.Replicas;
import dev.cleave.wire.Route;
import dev.cleave.wire.Services;
import dev.cleave.wire.Unregister;
import dev.cleave.wire.Watch;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** A registry for direct calls, no more: no leases, no pings, no relay. */
public final class FakeBroker implements AutoCloseable {

    private final SystemTimer timer = SystemTimer.create("fake-broker");
    private final Listener listener;
    private final Set<Connection> connections = ConcurrentHashMap.newKeySet();
    private final Map<String, Map<String, Offer>> services = new LinkedHashMap<>();
    private final Map<String, Set<Connection>> watchers = new LinkedHashMap<>();
    private long version;

    private record Offer(RegisterReplica register, Connection from) {}

    private FakeBroker(Transport transport, Endpoint endpoint) {
        listener = new Handshake(Hello.ofRelay("broker", 1), timer)
                .listen(transport, endpoint, (c, peer) -> new Handler());
    }

    public static FakeBroker start(Transport transport, Endpoint endpoint) {
        return new FakeBroker(transport, endpoint);
    }

    public Endpoint endpoint() {
        return listener.endpoint();
    }

    public synchronized int replicas(String service) {
        return services.getOrDefault(service, Map.of()).size();
    }

    @Override
    public void close() {
        listener.close();
        synchronized (this) {
            watchers.clear(); // nobody hears that others are gone because this broker is
        }
        connections.forEach(Connection::close);
        timer.close();
    }

    /** Says to those who watch a service that nobody offers it, as a broker does that has been frozen: it is not true. */
    public synchronized void deny(String service) {
        version++;
        watchers.getOrDefault(service, Set.of())
                .forEach(c -> send(c, new Replicas(0, service, version, Route.DIRECT, List.of())));
    }

    /** Says to those who watch a service how it is. */
    public synchronized void tell(String service) {
        changed(service);
    }

    /** Forgets everybody, as if all leases had ended, and says so as to a lease that comes too late. */
    public synchronized void forget() {
        for (String service : List.copyOf(services.keySet())) {
            services.get(service).clear();
            changed(service);
        }
        connections.forEach(c ->
                send(c, new Failure(0, 1L << 63, ErrorCode.NOT_REGISTERED, Execution.NOT, "nothing is registered")));
    }

    private static void send(Connection to, Frame frame) {
        to.write(frame.write(to.allocator()));
        to.flush();
    }

    private Replicas told(long id, String service) {
        return told(id, service, false);
    }

    private Replicas told(long id, String service, boolean inWords) {
        Map<String, Offer> offers = services.get(service);
        if (offers == null) {
            return new Replicas(id, service, 0, Route.DIRECT, List.of());
        }
        List<Replicas.Replica> replicas = offers.values().stream()
                .map(o -> new Replicas.Replica(
                        o.register().replica(),
                        o.register().incarnation(),
                        ReplicaState.UP,
                        o.register().endpoints()))
                .toList();
        return new Replicas(id, service, version, Route.DIRECT, replicas, inWords && replicas.isEmpty());
    }

    private void changed(String service) {
        changed(service, false);
    }

    private void changed(String service, boolean inWords) {
        version++;
        watchers.getOrDefault(service, Set.of()).forEach(c -> send(c, told(0, service, inWords)));
    }

    private synchronized void handle(Connection from, ByteBuf frame) {
        switch (Header.kind(frame)) {
            case REGISTER -> {
                RegisterReplica register = RegisterReplica.read(frame);
                services.computeIfAbsent(register.service(), s -> new LinkedHashMap<>())
                        .put(register.replica(), new Offer(register, from));
                changed(register.service());
                send(from, new Registered(register.id(), register.leaseMillis()));
            }
            case UNREGISTER -> {
                Unregister unregister = Unregister.read(frame);
                services.getOrDefault(unregister.service(), Map.of()).remove(unregister.replica());
                changed(unregister.service(), true);
                send(from, new Registered(unregister.id(), 0));
            }
            case LOOKUP -> {
                Lookup lookup = Lookup.read(frame);
                send(from, told(lookup.id(), lookup.service()));
            }
            case WATCH -> {
                Watch watch = Watch.read(frame);
                watchers.computeIfAbsent(watch.service(), s -> ConcurrentHashMap.newKeySet())
                        .add(from);
                send(from, told(watch.id(), watch.service()));
            }
            case LEASE -> send(from, Lease.read(frame));
            case PING -> send(from, new Pong(Ping.read(frame).id(), Load.NONE));
            case PONG, SETTLED -> {}
            case LIST -> send(from, new Services(Header.id(frame), list()));
            default -> throw new AssertionError(Header.kind(frame));
        }
    }

    private List<Services.Service> list() {
        List<Services.Service> all = new ArrayList<>();
        services.forEach((name, offers) -> all.add(new Services.Service(
                name,
                offers.values().stream()
                        .findFirst()
                        .map(o -> o.register().interfaceName())
                        .orElse(""),
                Route.DIRECT,
                offers.values().stream()
                        .map(o -> new Services.Replica(
                                o.register().replica(),
                                String.join(",", o.register().endpoints()),
                                ReplicaState.UP,
                                Load.NONE,
                                o.register().leaseMillis(),
                                o.from().peer().toString()))
                        .toList())));
        return all;
    }

    private synchronized void gone(Connection connection) {
        connections.remove(connection);
        watchers.values().forEach(w -> w.remove(connection));
        for (String service : List.copyOf(services.keySet())) {
            if (services.get(service).values().removeIf(o -> o.from() == connection)) {
                changed(service);
            }
        }
    }

    private final class Handler implements FrameHandler {

        @Override
        public void onOpen(Connection connection) {
            connections.add(connection);
        }

        @Override
        public void onFrame(Connection connection, ByteBuf frame) {
            handle(connection, frame);
        }

        @Override
        public void onClose(Connection connection, Throwable cause) {
            gone(connection);
        }
    }
}
