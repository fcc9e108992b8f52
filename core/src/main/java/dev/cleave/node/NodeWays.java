package dev.cleave.node;

import dev.cleave.call.InterfaceReader;
import dev.cleave.call.PeerTables;
import dev.cleave.client.Client;
import dev.cleave.ref.Target;
import dev.cleave.ref.Ways;
import dev.cleave.serial.Reference;
import io.netty.util.internal.ThreadExecutorMap;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls and dials for the references of a node.
 *
 * @param here the endpoint at which the node can be dialled, or empty
 */
record NodeWays(Client client, InterfaceReader interfaces, Supplier<String> here) implements Ways {

    @Override
    public Object stub(Target target) {
        return client.stub(target);
    }

    @Override
    public Object service(String service, Class<?> type) {
        return client.stub(interfaces.read(service, type), Duration.ZERO);
    }

    @Override
    public PeerTables dial(String endpoint) {
        return client.dial(endpoint);
    }

    @Override
    public @Nullable PeerTables throughBroker(Reference.Owner owner) {
        // The answer would arrive on the thread that waits for it.
        return ThreadExecutorMap.currentExecutor() != null ? null : client.throughBroker(owner);
    }

    @Override
    public Reached replica(String service) {
        return client.replica(service);
    }

    @Override
    public String endpoint() {
        return here.get();
    }
}
