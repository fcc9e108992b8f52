package dev.cleave.call;

import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.Execution;
import dev.cleave.wire.Failure;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;

/**
 * A caller who has come back over another link, and asks for a call.
 *
 * @param link the one that it has come over
 * @param id the number of the question there
 */
record Recalled(Link link, long id) implements Remembered.Asker {

    @Override
    public void failed(Execution execution, String why) {
        link.write(new Failure(0, id, ErrorCode.CONNECTION_LOST, execution, why)
                .write(link.connection().allocator()));
        link.flush();
    }

    @Override
    public void replied(ByteBuf reply, int highestType) {
        ByteBuf frame = link.connection().allocator().buffer(reply.readableBytes());
        frame.writeBytes(reply, reply.readerIndex(), reply.readableBytes());
        Header.readdress(frame, 0, id);
        link.tables(0).announceTypes(highestType);
        link.write(frame);
        link.flush();
    }
}
