package dev.cleave.agent.fuzz;

import dev.cleave.Remote;

/** What generated programs give the server to call back. */
@Remote
public interface FuzzHearer {

    /** Called by the server while it executes a call of the program. */
    void hear(int key);
}
