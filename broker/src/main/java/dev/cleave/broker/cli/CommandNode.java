package dev.cleave.broker.cli;

import dev.cleave.config.KeyFiles;
import dev.cleave.config.Security;
import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.time.Duration;
import java.util.List;

/** The node of a command that asks the broker and ends. */
final class CommandNode {

    private CommandNode() {}

    /** Returns the options of a command's node, which does not wait for a broker, with the keys of the process. */
    static NodeOptions options(String name, List<Endpoint> brokers) {
        return options(name, brokers, Security.NONE);
    }

    /** Returns the options of a command's node with the keys of the process, or of an application file. */
    static NodeOptions options(String name, List<Endpoint> brokers, Security security) {
        NodeOptions options =
                NodeOptions.DEFAULT.withBrokers(brokers).withName(name).withPatience(Duration.ZERO);
        KeyFiles keys = security.keyFiles("admin");
        return keys == null ? options : options.withKeys(keys);
    }
}
