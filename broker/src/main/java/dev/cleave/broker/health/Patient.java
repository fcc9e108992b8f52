package dev.cleave.broker.health;

import dev.cleave.broker.registry.Party;

/** A connection to a server that is pinged. */
public interface Patient extends Party {

    /** Sends a ping. */
    void ping(long id);

    /** Says whether we do not read what it sends because others are slow, so that its silence is not its own. */
    boolean isHeld();

    /** Ends the connection: the server is taken for dead. */
    void giveUp(String why);
}
