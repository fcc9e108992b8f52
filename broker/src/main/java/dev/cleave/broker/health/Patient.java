package dev.cleave.broker.health;

import dev.cleave.broker.registry.Party;

/** A connection whose peer is pinged. */
public interface Patient extends Party {

    /** Sends a ping. */
    void ping(long id);

    /**
     * Says whether the broker has stopped reading from the peer because other peers are slow, so that its silence means
     * nothing.
     */
    boolean isHeld();

    /** Says whether any frame has arrived since the last call of this method. */
    boolean takeHeard();

    /** Ends the connection, because the peer is down. */
    void giveUp(String why);
}
