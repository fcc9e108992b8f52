package dev.cleave.broker.store;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;

@Tag("one-jdk")
final class InMemoryStoreTest extends ClusterStoreContract {

    private final ExecutorService notifier = Executors.newSingleThreadExecutor();
    private final InMemoryStore.Ensemble ensemble = new InMemoryStore.Ensemble();

    @Override
    protected ClusterStore open() {
        return ensemble.open(notifier);
    }

    @AfterEach
    void stop() {
        notifier.shutdown();
    }
}
