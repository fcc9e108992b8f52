package dev.cleave.broker.cli;

import dev.cleave.config.Bindings;
import dev.cleave.node.Node;
import dev.cleave.transport.Endpoint;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the broker that a command uses. */
final class BrokerEndpoint {

    private BrokerEndpoint() {}

    /**
     * Returns the broker that the command line names, else the one of the system property or environment variable that
     * nodes use, else that of the file, else the default one.
     */
    static Endpoint of(@Nullable String option, Bindings bindings) {
        return all(option, bindings).get(0);
    }

    /** Returns the brokers of a cluster, which are named as {@link #of} says; one at least. */
    static List<Endpoint> all(@Nullable String option, Bindings bindings) {
        String text = Optional.ofNullable(option)
                .or(() -> Optional.ofNullable(System.getProperty(Node.BROKER_PROPERTY)))
                .or(() -> Optional.ofNullable(System.getenv(Node.BROKER_VARIABLE)))
                .or(() -> Optional.ofNullable(bindings.broker()))
                .orElse("cleave://localhost:" + Endpoint.DEFAULT_PORT);
        try {
            return Endpoint.parseAll(text);
        } catch (IllegalArgumentException e) {
            throw new CommandException(String.valueOf(e.getMessage()), e);
        }
    }
}
