package dev.cleave.broker;

import dev.cleave.admin.AdminServer;
import dev.cleave.broker.registry.Registry;
import dev.cleave.concurrent.SerialExecutor;
import dev.cleave.metrics.Sample;
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

/** How a broker is, for its admin port. Thread-safe. */
final class BrokerState implements AdminServer.Subject {

    /** The longest time for which a question waits for the thread of the registry. */
    private static final long PATIENCE_MILLIS = 1_000;

    private final Registry registry;
    private final SerialExecutor registryThread;
    private final IntSupplier sessions;
    private final BooleanSupplier open;

    /**
     * Creates the state of a broker.
     *
     * @param registryThread on which alone the registry may be used
     * @param sessions how many peers are connected
     * @param open whether it listens
     */
    BrokerState(Registry registry, SerialExecutor registryThread, IntSupplier sessions, BooleanSupplier open) {
        this.registry = registry;
        this.registryThread = registryThread;
        this.sessions = sessions;
        this.open = open;
    }

    @Override
    public boolean isReady() {
        return open.getAsBoolean();
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
    public List<Sample> samples() {
        List<Sample> all = new ArrayList<>();
        all.add(Sample.gauge("cleave.broker.sessions", "Nodes that are connected.", sessions.getAsInt()));
        List<Services.Service> services = new ArrayList<>();
        CompletableFuture<List<Services.Service>> listed = new CompletableFuture<>();
        if (ask(() -> listed.complete(registry.list()))) {
            services.addAll(listed.join());
        }
        all.add(Sample.gauge("cleave.broker.services", "Services that have a replica.", services.size()));
        for (Services.Service service : services) {
            Map<String, Integer> states = new TreeMap<>();
            service.replicas()
                    .forEach(replica -> states.merge(
                            replica.state().name().toLowerCase(Locale.ROOT), 1, Integer::sum));
            states.forEach((state, count) -> all.add(
                    Sample.gauge("cleave.broker.replicas", "Replicas of a service in a state.", count)
                            .with("service", service.name())
                            .with("state", state)));
        }
        all.addAll(Samples.ofProcess());
        return all;
    }
}
