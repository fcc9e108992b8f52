package dev.cleave.spring;

import dev.cleave.config.Bindings;
import dev.cleave.intercept.Interceptors;
import dev.cleave.node.EmbeddedBroker;
import dev.cleave.node.Node;
import dev.cleave.node.NodeOptions;
import dev.cleave.server.Server;
import dev.cleave.transport.Endpoint;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.Resource;

/** Connects the node of an application as its properties say. */
final class CleaveNodes {

    private CleaveNodes() {}

    /**
     * Connects. The node does not drain when its process gets SIGTERM: the context that closes then drains it, behind the
     * web server, whose requests may still make calls.
     *
     * @param broker the endpoint of a broker in this process, or null
     */
    static Node connect(
            CleaveProperties said,
            Interceptors interceptors,
            Iterable<CleaveNodeCustomizer> customizers,
            @Nullable Endpoint broker) {
        NodeOptions options = NodeOptions.DEFAULT
                .withPatience(said.patience())
                .withPort(said.port())
                .withDrainAtExit(false)
                .withInterceptors(interceptors)
                .withMdc(said.mdc());
        Resource file = said.config();
        if (file != null) {
            options = options.withBindings(bindings(file));
        }
        if (broker != null) {
            options = options.withBroker(broker);
        } else if (said.broker() != null) {
            options = options.withBroker(Endpoint.parse(said.broker()));
        }
        if (said.name() != null) {
            options = options.withName(said.name());
        }
        if (said.host() != null) {
            options = options.withHost(said.host());
        }
        if (said.listenHost() != null) {
            options = options.withListenHost(said.listenHost());
        }
        if (said.insecure()) {
            options = options.withInsecure();
        }
        if (said.workers() != null || said.queue() != null) {
            Server.Capacity usual = options.capacity();
            options = options.withCapacity(
                    said.workers() != null ? said.workers() : usual.workers(),
                    said.queue() != null ? said.queue() : usual.queue());
        }
        for (CleaveNodeCustomizer customizer : customizers) {
            options = customizer.customize(options);
        }
        Node node = Node.connect(options);
        if (file != null && file.isFile()) {
            follow(node, file);
        }
        return node;
    }

    private static void follow(Node node, Resource file) {
        try {
            node.follow(file.getFile().toPath());
        } catch (IOException e) {
            node.close();
            throw new UncheckedIOException("cleave.config: " + file.getDescription(), e);
        }
    }

    private static Bindings bindings(Resource file) {
        try {
            return Bindings.parse(file.getContentAsString(StandardCharsets.UTF_8), file.getDescription());
        } catch (IOException e) {
            throw new UncheckedIOException(
                    "cleave.config: " + file.getDescription() + " cannot be read (expected: an application file)", e);
        }
    }

    /** A broker in this process that only nodes of this process reach. */
    static final class InProcessBroker implements AutoCloseable {

        private final Endpoint endpoint = Endpoint.local("cleave-" + UUID.randomUUID());
        private final EmbeddedBroker.Running running;

        InProcessBroker() {
            running = ServiceLoader.load(EmbeddedBroker.class, getClass().getClassLoader())
                    .findFirst()
                    .orElseThrow(
                            () -> new IllegalStateException("cleave.in-process=true needs a broker on the class path"
                                    + " (expected: dev.cleave:cleave-broker, scope test)"))
                    .start(endpoint);
        }

        Endpoint endpoint() {
            return endpoint;
        }

        @Override
        public void close() {
            running.close();
        }
    }
}
