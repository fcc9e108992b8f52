package dev.cleave.broker.cli;

import dev.cleave.config.Bindings;
import dev.cleave.config.EmulatedLink;
import dev.cleave.config.KeyFiles;
import dev.cleave.config.ReplicaBinding;
import dev.cleave.config.ServiceBinding;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The objects of one replica, bound to their services. The serving node emulates the link, so services with different
 * links are served by separate nodes.
 */
final class ReplicaHost implements AutoCloseable {

    private final List<String> services = new ArrayList<>();
    private final List<Node> nodes = new ArrayList<>();

    private ReplicaHost() {}

    /**
     * Connects to the broker and binds an object to each service that names the replica.
     *
     * @param insecure whether it may listen at addresses that other machines can reach
     */
    static ReplicaHost start(String replica, Path file, Bindings bindings, List<Endpoint> brokers, boolean insecure) {
        Map<Optional<EmulatedLink>, List<ServiceBinding>> byLink = new LinkedHashMap<>();
        for (ServiceBinding service : bindings.services().values()) {
            if (service.replica(replica).isPresent()) {
                byLink.computeIfAbsent(service.link(replica), link -> new ArrayList<>())
                        .add(service);
            }
        }
        if (byLink.isEmpty()) {
            throw new CommandException(file + ": no service names a replica " + replica + " (expected: one of "
                    + String.join(", ", Application.servicesOf(bindings).keySet()) + ")");
        }
        ReplicaHost host = new ReplicaHost();
        try {
            byLink.values().forEach(served -> {
                NodeOptions options = options(replica, only(served, bindings), brokers);
                host.serve(replica, served, insecure ? options.withInsecure() : options);
            });
        } catch (RuntimeException e) {
            host.close();
            throw e;
        }
        return host;
    }

    /** Returns the file without other services: a node emulates the one link of the services that name it. */
    private static Bindings only(List<ServiceBinding> served, Bindings all) {
        Map<String, ServiceBinding> services = new LinkedHashMap<>();
        served.forEach(service -> services.put(service.name(), service));
        return all.withServices(services);
    }

    private static NodeOptions options(String replica, Bindings bindings, List<Endpoint> brokers) {
        NodeOptions options =
                NodeOptions.DEFAULT.withBrokers(brokers).withBindings(bindings).withName(replica);
        KeyFiles keys = bindings.security().keyFiles(replica, "server");
        return keys == null ? options : options.withKeys(keys);
    }

    private void serve(String replica, List<ServiceBinding> served, NodeOptions options) {
        String host = served.get(0).replica(replica).map(ReplicaBinding::host).orElse(null);
        Node node = Node.connect(
                host == null ? options : isWildcard(host) ? options.withListenHost(host) : options.withHost(host));
        nodes.add(node);
        for (ServiceBinding service : served) {
            Map<String, String> told =
                    service.replica(replica).map(ReplicaBinding::options).orElse(Map.of());
            node.bind(service.name(), Implementation.create(service, told));
            services.add(service.name());
        }
    }

    private static boolean isWildcard(String host) {
        try {
            return InetAddress.getByName(host).isAnyLocalAddress();
        } catch (UnknownHostException e) {
            return false; // known to those who dial it, perhaps
        }
    }

    /** The services that the replica serves. */
    List<String> services() {
        return List.copyOf(services);
    }

    /** Waits until the replica is closed. */
    void await() throws InterruptedException {
        for (Node node : nodes) {
            node.await();
        }
    }

    /** Takes no more calls, and lets the calls in flight end. */
    void drain() {
        nodes.forEach(Node::drain);
    }

    @Override
    public void close() {
        nodes.forEach(Node::close);
    }
}
