package dev.cleave.broker.cli;

import dev.cleave.node.NodeOptions;
import dev.cleave.transport.Endpoint;
import java.time.Duration;

/** The node of a command that asks the broker and ends. */
final class CommandNode {

    private CommandNode() {}

    /** Returns the options of a command's node, which does not wait for a broker. */
    static NodeOptions options(String name, Endpoint broker) {
        return NodeOptions.DEFAULT.withBroker(broker).withName(name).withPatience(Duration.ZERO);
    }
}
