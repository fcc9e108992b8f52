package dev.cleave.broker.relay;

/**
 * A call on its way.
 *
 * @param pair from whom to whom
 * @param clientId its number on the client's connection
 * @param serverId its number on the server's connection
 */
record RelayedCall(Pair pair, long clientId, long serverId) {}
