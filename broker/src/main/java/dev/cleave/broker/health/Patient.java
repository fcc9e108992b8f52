package dev.cleave.broker.health;

import dev.cleave.broker.registry.Party;

/** A connection whose other end is pinged. */
public interface Patient extends Party {

    /** Sends a ping. */
    void ping(long id);

    /** Says whether we do not read what it sends because others are slow, so that its silence is not its own. */
    boolean isHeld();

    /** Says whether any frame has come since this was last asked. */
    boolean takeHeard();

    /** Ends the connection: the other end is taken for dead. */
    void giveUp(String why);
}
