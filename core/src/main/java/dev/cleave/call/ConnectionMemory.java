package dev.cleave.call;

import static java.util.Objects.requireNonNull;

import dev.cleave.transport.Connection;
import dev.cleave.transport.Peer;
import dev.cleave.wire.ConnectionName;
import dev.cleave.wire.Recall;
import dev.cleave.wire.Settled;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the outcomes of the calls that come over one connection, from the moment when the caller names the connection.
 * Event thread only, except {@link #known}, {@link #begins} and {@link #notExecuted}.
 */
public final class ConnectionMemory {

    private final Memories memories;
    private final Peer peer;
    private final Connection connection;
    private ConnectionName name = ConnectionName.NONE;
    private volatile @Nullable Remembered known;

    /** Remembers nothing yet; {@code memories} are those of the node or broker. */
    public ConnectionMemory(Memories memories, Peer peer, Connection connection) {
        this.memories = requireNonNull(memories, "memories");
        this.peer = requireNonNull(peer, "peer");
        this.connection = requireNonNull(connection, "connection");
    }

    /** Returns the kept outcomes; null until the caller has named the connection. On any thread. */
    public @Nullable Remembered known() {
        return known;
    }

    /** Handles an acknowledgement: the caller names the connection, or says which outcomes it has. */
    public void settled(Settled said) {
        Remembered memory = known;
        if (memory == null) {
            name = said.connection();
            memory = memories.opened(peer, connection::close, name);
            known = memory;
        }
        memory.settled(said.mark());
    }

    /**
     * Records that a call is about to be executed; returns false if it may not be, because its caller was told that it
     * was not executed. On any thread.
     */
    public boolean begins(long call) {
        Remembered memory = known;
        return memory == null || memory.begins(call);
    }

    /** Records that a call which had begun was not executed after all. On any thread. */
    public void notExecuted(long call) {
        Remembered memory = known;
        if (memory != null) {
            memory.notExecuted(call);
        }
    }

    /** Answers a caller that asks for the outcome of a call which it sent over an earlier connection. */
    public void recall(Recall said, Remembered.Asker asker) {
        memories.recall(peer, said, asker);
    }

    /** Handles the end of the connection. */
    public void closed() {
        Remembered memory = known;
        if (memory != null) {
            memories.closed(peer, name, memory);
        }
    }
}
