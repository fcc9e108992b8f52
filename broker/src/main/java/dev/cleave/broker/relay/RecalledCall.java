package dev.cleave.broker.relay;

import dev.cleave.call.Remembered;
import dev.cleave.transport.Connection;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Header;
import dev.cleave.wire.PeerGone;
import io.netty.buffer.ByteBuf;

/**
 * A client that asks, over a new connection, for the outcome of a relayed call. Types that are announced before the
 * reply need a number of their own for its server, which is free again at once.
 *
 * @param connection the connection over which it asks
 * @param numbers of peers on it
 * @param id the number of the question there
 */
record RecalledCall(Connection connection, PeerNumbers numbers, long id) implements Remembered.Asker {

    @Override
    public void failed(Execution execution, String why) {
        connection.write(new Failure(0, id, ErrorCode.CONNECTION_LOST, execution, why).write(connection.allocator()));
        connection.flush();
    }

    /** Says that {@code typeFrames} frames of TYPES stand before the reply. */
    @Override
    public void replied(ByteBuf reply, int typeFrames) {
        int server = typeFrames > 0 ? numbers.take() : 0;
        if (server == PeerNumbers.NONE && typeFrames > 0) {
            failed(Execution.EXECUTED, "executed, and no number is left for its server");
            return;
        }
        ByteBuf frames = reply.duplicate();
        for (int i = 0; i < typeFrames; i++) {
            write(frames, server, 0);
        }
        write(frames, server, id);
        if (typeFrames > 0) {
            connection.write(new PeerGone(server).write(connection.allocator()));
            numbers.give(server);
        }
        connection.flush();
    }

    private void write(ByteBuf frames, int server, long to) {
        int length = Header.frameLength(frames, Integer.MAX_VALUE);
        ByteBuf frame = connection.allocator().buffer(length);
        frames.readBytes(frame, length);
        Header.readdress(frame, server, to);
        connection.write(frame);
    }
}
