package dev.cleave.broker.relay;

import dev.cleave.transport.Connection;
import dev.cleave.wire.Chunk;
import dev.cleave.wire.Credit;
import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Large values on their way over one connection: chunks go on to the other end of their call, and credit comes back from there.
 * Nothing is granted here, so what is kept here at a time is what the two ends allow. Event thread only; frames stay the
 * caller's.
 */
public final class RelayedBlocks {

    private final ClientSide client;
    private final ServerSide server;
    private final Consumer<Connection> flushing;

    RelayedBlocks(ClientSide client, ServerSide server, Consumer<Connection> flushing) {
        this.client = client;
        this.server = server;
        this.flushing = flushing;
    }

    /** CHUNK: the client's of a request, or the server's of a reply. */
    public void onChunk(ByteBuf frame) {
        Chunk chunk = Chunk.read(frame.duplicate());
        flush(chunk.isOfReply() ? server.onChunk(frame, chunk.isLast()) : client.onPart(frame));
    }

    /** CREDIT: the server's for a request, or the client's for a reply. */
    public void onCredit(ByteBuf frame) {
        flush(Credit.read(frame.duplicate()).isOfReply() ? client.onPart(frame) : server.onCredit(frame));
    }

    private void flush(@Nullable Connection written) {
        if (written != null) {
            flushing.accept(written);
        }
    }
}
