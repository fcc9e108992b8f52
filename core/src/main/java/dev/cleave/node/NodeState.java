package dev.cleave.node;

import dev.cleave.admin.AdminServer;
import dev.cleave.client.Client;
import dev.cleave.concurrent.SafeLog;
import dev.cleave.metrics.MetricValue;
import dev.cleave.metrics.Samples;
import dev.cleave.rt.SiteCounters;
import dev.cleave.rt.Sites;
import dev.cleave.server.Server;
import dev.cleave.wire.Load;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** How a node is, for operators: at its admin port, as an MBean, and for programs. Thread-safe. */
final class NodeState implements AdminServer.Subject {

    /** The system property of the admin port. */
    static final String PORT_PROPERTY = "cleave.admin";

    /** The system property of the address of the admin port. */
    static final String HOST_PROPERTY = "cleave.admin.host";

    private static final System.Logger LOG = SafeLog.of(NodeState.class);

    private final Server server;
    private final Client client;
    private final NodeLinks links;
    private final BooleanSupplier open;
    private volatile boolean hasServed;
    private volatile boolean isLeaving;
    private @Nullable AdminServer admin; // guarded by this
    private @Nullable NodeBean bean; // guarded by this

    /**
     * Creates the state of a node that takes part from now on.
     *
     * @param open whether the node has not been closed
     */
    NodeState(Server server, Client client, NodeLinks links, BooleanSupplier open) {
        this.server = server;
        this.client = client;
        this.links = links;
        this.open = open;
    }

    /** Begins to answer at the admin port, if there is one, and as an MBean if {@code cleave.jmx} says so. */
    synchronized void show(NodeOptions options, String name) {
        if (Boolean.getBoolean("cleave.jmx")) {
            bean = NodeBean.register(name, this);
        }
        NodeOptions.Admin asked = options.admin();
        String host = asked.host() != null ? asked.host() : System.getProperty(HOST_PROPERTY);
        Integer explicit = asked.port() != null ? asked.port() : Integer.getInteger(PORT_PROPERTY);
        Integer port =
                explicit != null ? explicit : options.bindings().operation().admin();
        if (port == null) {
            return;
        }
        try {
            admin = AdminServer.start(host, port, this);
        } catch (UncheckedIOException e) {
            if (asked.port() != null) {
                throw e;
            }
            // A file and a property hold for several nodes of one machine; the first one has the port.
            LOG.log(
                    System.Logger.Level.WARNING,
                    "node {0} answers at no {1}; {2}=0 lets the system choose a port",
                    name,
                    String.valueOf(e.getMessage()),
                    PORT_PROPERTY);
        }
    }

    /** The port at which it answers; 0 if at none. */
    synchronized int port() {
        return admin == null ? 0 : admin.port();
    }

    /** The node serves something from now on. */
    void serves() {
        hasServed = true;
    }

    /** The node leaves: it is not ready any more. */
    void leaves() {
        isLeaving = true;
    }

    /** Answers no more. */
    synchronized void end() {
        if (admin != null) {
            admin.close();
        }
        if (bean != null) {
            bean.unregister();
        }
    }

    /** How busy its server side is. */
    Load load() {
        return server.load();
    }

    /** The names of its services. */
    List<String> services() {
        return server.services().stream().sorted().toList();
    }

    /** The number of its calls that have not ended. */
    int pendingCalls() {
        return client.pendingCalls();
    }

    @Override
    public boolean isReady() {
        return isLive()
                && !isLeaving
                && client.broker().link().isPresent()
                && (hasServed ? client.broker().isRegistered() : client.hasStubs());
    }

    @Override
    public boolean isLive() {
        return open.getAsBoolean();
    }

    @Override
    public List<MetricValue> samples() {
        List<MetricValue> all = new ArrayList<>();
        Load load = server.load();
        all.add(MetricValue.gauge("cleave.ready", "1 if the node may get calls, else 0.", isReady() ? 1 : 0));
        all.add(MetricValue.gauge(
                "cleave.broker.connected",
                "1 if the node is connected to its broker, else 0.",
                client.broker().link().isPresent() ? 1 : 0));
        all.add(MetricValue.gauge(
                "cleave.services", "Services that are bound.", server.services().size()));
        all.add(MetricValue.gauge("cleave.peers", "Peers that have dialled this node.", links.accepted()));
        all.add(MetricValue.gauge("cleave.server.queued.calls", "Calls that wait for a worker.", load.queued()));
        all.add(MetricValue.gauge(
                "cleave.server.queue.age.seconds", "Age of the oldest waiting call.", load.oldestMillis() / 1_000.0));
        all.add(MetricValue.gauge("cleave.server.running.calls", "Calls that run.", load.running()));
        all.add(MetricValue.gauge("cleave.server.workers", "Calls that may run at the same time.", load.capacity()));
        all.add(MetricValue.counter(
                "cleave.server.calls", "Calls that workers have taken to run them.", server.taken()));
        all.add(MetricValue.gauge(
                "cleave.client.pending.calls", "Calls of this node without outcome.", client.pendingCalls()));
        all.add(MetricValue.counter(
                "cleave.client.oneway.failures", "One-way calls that have failed.", client.oneWayFailures()));
        all.add(MetricValue.counter(
                "cleave.client.hedges", "Calls that were also sent to a second replica.", client.hedges()));
        all.add(MetricValue.counter(
                "cleave.client.hedges.won", "Hedges that were answered first.", client.hedgesWon()));
        server.addTo(all);
        addSites(all);
        all.addAll(Samples.ofProcess());
        return all;
    }

    private static void addSites(List<MetricValue> all) {
        List<SiteCounters> sites = Sites.counters();
        all.add(MetricValue.gauge(
                "cleave.sites", "Call sites that the agent has rewritten, as far as they have run.", sites.size()));
        all.add(MetricValue.counter(
                "cleave.sites.sends",
                "Calls that rewritten code has sent.",
                sites.stream().mapToLong(SiteCounters::sends).sum()));
        all.add(MetricValue.counter(
                "cleave.sites.declined",
                "Calls that ran as written because they could not be sent.",
                sites.stream().mapToLong(SiteCounters::declined).sum()));
        all.add(MetricValue.counter(
                "cleave.sites.blocked.seconds",
                "Time for which rewritten code has waited for calls.",
                sites.stream().mapToLong(SiteCounters::blockedNanos).sum() / 1e9));
        all.add(MetricValue.counter(
                "cleave.sites.overlapped.seconds",
                "Time for which calls were under way while rewritten code went on.",
                sites.stream().mapToLong(SiteCounters::overlappedNanos).sum() / 1e9));
    }
}
