package dev.cleave.broker;

import dev.cleave.node.EmbeddedBroker;
import dev.cleave.transport.Endpoint;

/** Starts brokers for nodes that find none. */
public final class InProcess implements EmbeddedBroker {

    /** For the service loader. */
    public InProcess() {}

    @Override
    public Running start(Endpoint endpoint) {
        return Broker.start(BrokerOptions.at(endpoint))::close;
    }
}
