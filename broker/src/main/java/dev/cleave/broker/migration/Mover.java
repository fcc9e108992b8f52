package dev.cleave.broker.migration;

import dev.cleave.broker.registry.Party;
import dev.cleave.wire.Frame;

/** A connection to a server whose waiting calls may move. */
public interface Mover extends Party {

    /** Says whether the server supports moving calls. */
    boolean migrates();

    /** Sends a frame. */
    void tell(Frame frame);
}
