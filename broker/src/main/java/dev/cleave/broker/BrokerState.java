package dev.cleave.broker;

import dev.cleave.admin.AdminServer;
import dev.cleave.broker.cluster.Cluster;
import dev.cleave.broker.gossip.FarLoads;
import dev.cleave.broker.gossip.LoadGossip;
import dev.cleave.broker.registry.Registry;
import dev.cleave.broker.store.ClusterStore;
import dev.cleave.concurrent.SerialExecutor;
import dev.cleave.metrics.MetricValue;
import dev.cleave.metrics.Samples;
import dev.cleave.wire.Services;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/** How a broker is, for its admin port. Thread-safe. */
final class BrokerState implements AdminServer.Subject {

    /** The longest time for which a question waits for the thread of the registry. */
    private static final long PATIENCE_MILLIS = 1_000;

    private final Registry registry;
    private final SerialExecutor registryThread;
    private final IntSupplier sessions;
    private final BooleanSupplier open;
    private final @Nullable Clustered clustered;

    /** The parts that a broker of a cluster has besides. */
    record Clustered(Cluster cluster, LoadGossip gossip, FarLoads farLoads) {}

    /**
     * Creates the state of a broker.
     *
     * @param registryThread on which alone the registry may be used
     * @param sessions how many peers are connected
     * @param open whether it listens
     * @param clustered its part in a cluster; null if it is alone
     */
    BrokerState(
            Registry registry,
            SerialExecutor registryThread,
            IntSupplier sessions,
            BooleanSupplier open,
            @Nullable Clustered clustered) {
        this.registry = registry;
        this.registryThread = registryThread;
        this.sessions = sessions;
        this.open = open;
        this.clustered = clustered;
    }

    /** Whether it listens and, in a cluster, has read the registry once. */
    @Override
    public boolean isReady() {
        Clustered joined = clustered;
        return open.getAsBoolean() && (joined == null || joined.cluster().isSynced());
    }

    /** Whether the thread of the registry answers. */
    @Override
    public boolean isLive() {
        return ask(() -> {}) && open.getAsBoolean();
    }

    private boolean ask(Runnable question) {
        CompletableFuture<Boolean> answered = new CompletableFuture<>();
        try {
            registryThread.execute(() -> {
                question.run();
                answered.complete(true);
            });
            return answered.get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException | ExecutionException | TimeoutException e) { // closed, or busy
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public List<MetricValue> samples() {
        List<MetricValue> all = new ArrayList<>();
        all.add(MetricValue.gauge("cleave.broker.sessions", "Nodes that are connected.", sessions.getAsInt()));
        List<Services.Service> services = new ArrayList<>();
        CompletableFuture<List<Services.Service>> listed = new CompletableFuture<>();
        if (ask(() -> listed.complete(registry.list()))) {
            services.addAll(listed.join());
        }
        all.add(MetricValue.gauge("cleave.broker.services", "Services that have a replica.", services.size()));
        for (Services.Service service : services) {
            Map<String, Integer> states = new TreeMap<>();
            service.replicas()
                    .forEach(replica -> states.merge(replica.state().name().toLowerCase(Locale.ROOT), 1, Integer::sum));
            states.forEach((state, count) ->
                    all.add(MetricValue.gauge("cleave.broker.replicas", "Replicas of a service in a state.", count)
                            .with("service", service.name())
                            .with("state", state)));
        }
        if (clustered != null) {
            addCluster(all, clustered);
        }
        all.addAll(Samples.ofProcess());
        return all;
    }

    private void addCluster(List<MetricValue> all, Clustered clustered) {
        Cluster joined = clustered.cluster();
        all.add(MetricValue.gauge(
                "cleave.broker.members",
                "Brokers of the cluster.",
                joined.members().size()));
        for (ClusterStore.Health health : ClusterStore.Health.values()) {
            all.add(MetricValue.gauge(
                            "cleave.broker.store",
                            "How the store of the cluster is connected: 1 for the state that holds.",
                            joined.health() == health ? 1 : 0)
                    .with("state", health.name().toLowerCase(Locale.ROOT)));
        }
        all.add(MetricValue.gauge(
                "cleave.broker.provisional",
                "Registrations that no other broker knows, because the store does not answer.",
                joined.provisional()));
        LoadGossip gossip = clustered.gossip();
        all.add(MetricValue.counter(
                "cleave.broker.loads.told", "Loads of replicas here that other brokers were told.", gossip.told()));
        CompletableFuture<Integer> asked = new CompletableFuture<>();
        if (ask(() -> asked.complete(gossip.asked()))) {
            all.add(MetricValue.gauge(
                    "cleave.broker.loads.asked",
                    "Services of which other brokers want the loads of the replicas here, for each of these brokers.",
                    asked.join()));
        }
        all.add(MetricValue.gauge(
                "cleave.broker.loads.known",
                "Replicas at other brokers whose loads are known.",
                clustered.farLoads().size()));
        all.add(MetricValue.counter(
                "cleave.broker.sent.elsewhere",
                "Relayed calls that found no room here, and were sent to a replica at another broker.",
                clustered.farLoads().sent()));
    }
}
