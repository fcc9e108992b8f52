package dev.cleave.stream;

/**
 * Names the blocks of one message among those of a connection.
 *
 * @param peer the relayed client or server, or 0; 0 for what belongs to requests of this node, whose numbers are its
 *     own
 * @param id the call
 * @param isOfReply whether they belong to the reply of the call, or to its request
 */
public record StreamKey(int peer, long id, boolean isOfReply) {}
