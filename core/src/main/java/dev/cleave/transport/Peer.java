package dev.cleave.transport;

/**
 * The other side of a connection, as its HELLO describes it.
 *
 * @param node the name of the process, for messages
 * @param incarnation differs between two runs of the same node
 * @param version the protocol version that both sides speak
 * @param features the features that both sides have
 */
public record Peer(String node, long incarnation, int version, long features) {}
