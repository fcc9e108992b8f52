package dev.cleave.node;

import dev.cleave.config.Bindings;
import dev.cleave.config.CallBinding;
import dev.cleave.config.Carrier;
import dev.cleave.config.KeyFiles;
import dev.cleave.config.MethodBinding;
import dev.cleave.config.ServiceBinding;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.transport.FrameHandler;
import dev.cleave.transport.Listener;
import dev.cleave.transport.Transport;
import dev.cleave.transport.TransportException;
import dev.cleave.transport.local.LocalTransport;
import dev.cleave.transport.netty.NettyOptions;
import dev.cleave.transport.netty.NettyTransport;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** All transports of a node in one: beside each port it also listens for connections of its own process. */
final class Carriers implements Transport {

    private final Transport net;
    private final Transport local;
    private final Map<String, Transport> own = new LinkedHashMap<>(); // by the names of their classes

    /**
     * Opens the transports.
     *
     * @param keys the files for encrypted connections, or null
     * @param names the classes of the application's own transports
     * @throws dev.cleave.transport.TransportException if the files cannot be read
     * @throws IllegalArgumentException if a class is no transport, or proves no identity though there are keys
     */
    Carriers(@Nullable KeyFiles keys, Set<String> names) {
        net = keys == null ? NettyTransport.create() : NettyTransport.create(NettyOptions.DEFAULT, keys);
        local = LocalTransport.of(net.identity());
        try {
            names.forEach(name -> own.put(name, made(name)));
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    /** The transports of its own that an application names. */
    static Set<String> named(Bindings bindings) {
        Set<String> names = new LinkedHashSet<>();
        for (ServiceBinding service : bindings.services().values()) {
            addName(service.calls(), names);
            for (MethodBinding method : service.methods().values()) {
                addName(method.call(), names);
            }
        }
        return names;
    }

    private static void addName(CallBinding call, Set<String> names) {
        Carrier carrier = call.traffic().carrierOrAuto();
        if (carrier.isOwn()) {
            names.add(carrier.word());
        }
    }

    private Transport made(String name) {
        Transport transport;
        try {
            ClassLoader loader = Thread.currentThread().getContextClassLoader();
            Object object = Class.forName(name, true, loader == null ? Carriers.class.getClassLoader() : loader)
                    .getConstructor()
                    .newInstance();
            if (!(object instanceof Transport found)) {
                throw new IllegalArgumentException("transport: " + name + " is no " + Transport.class.getName());
            }
            transport = found;
        } catch (ReflectiveOperationException | LinkageError e) {
            throw new IllegalArgumentException(
                    "transport: " + name + " cannot be made (expected: a public class on the class path with a public"
                            + " constructor that takes nothing): " + e,
                    e);
        }
        if (!Objects.equals(net.identity(), transport.identity())) {
            transport.close();
            throw new IllegalArgumentException("transport: " + name + " proves identity " + transport.identity()
                    + " (expected: " + net.identity() + ", as the keys of this process do)");
        }
        return transport;
    }

    @Override
    public @Nullable String identity() {
        return net.identity();
    }

    @Override
    public Connection connect(Endpoint endpoint, FrameHandler handler) {
        return of(endpoint).connect(endpoint, handler);
    }

    @Override
    public Listener listen(Endpoint endpoint, Acceptor acceptor) {
        if (isLocal(endpoint)) {
            return local.listen(endpoint, acceptor);
        }
        List<Listener> doors = new ArrayList<>();
        Listener port = net.listen(endpoint, acceptor);
        doors.add(port);
        try {
            doors.add(local.listen(port.endpoint().nearby(), acceptor));
            own.forEach((name, transport) ->
                    doors.add(transport.listen(port.endpoint().by(name), acceptor)));
            return new All(doors);
        } catch (RuntimeException e) {
            new All(doors).close();
            throw e;
        }
    }

    private Transport of(Endpoint endpoint) {
        if (isLocal(endpoint)) {
            return local;
        }
        Transport named = own.get(endpoint.scheme());
        if (named == null && endpoint.scheme().indexOf('.') > 0) {
            throw new TransportException(endpoint + ": this process has no such transport", null);
        }
        return named == null ? net : named;
    }

    @Override
    public void close() {
        own.values().forEach(Transport::close);
        local.close();
        net.close();
    }

    private static boolean isLocal(Endpoint endpoint) {
        return endpoint.scheme().equals("local");
    }

    /** The listeners of one port, that of the network first. */
    private record All(List<Listener> doors) implements Listener {

        @Override
        public Endpoint endpoint() {
            return doors.get(0).endpoint();
        }

        @Override
        public void close() {
            for (int i = doors.size() - 1; i >= 0; i--) {
                doors.get(i).close();
            }
        }
    }
}
