package dev.cleave.lab.chaos;

import dev.cleave.wire.Chunk;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import java.util.HashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;

/** Sometimes sends a chunk twice, each time as the next one: the receiver cannot recognise it by its place. */
final class DoubledChunks implements FrameDefect {

    private final FaultyTransport.Pipe pipe;
    private final BooleanSupplier when;
    private final Map<Long, Integer> more = new HashMap<>(); // parts than there are, by call; guarded by this

    DoubledChunks(FaultyTransport.Pipe pipe, BooleanSupplier when) {
        this.pipe = pipe;
        this.when = when;
    }

    @Override
    public synchronized boolean out(ByteBuf frame) {
        if (Header.kind(frame) != FrameKind.CHUNK) {
            return true;
        }
        ByteBuf bytes = frame.duplicate();
        Chunk said = Chunk.read(bytes);
        if (when.getAsBoolean()) {
            send(said, false, bytes);
            more.merge(said.id(), 1, Integer::sum);
        }
        send(said, said.isLast(), bytes);
        return false;
    }

    private void send(Chunk said, boolean isLast, ByteBuf bytes) {
        int place = (said.place() - 1 + more.getOrDefault(said.id(), 0)) % Chunk.PLACES + 1;
        ByteBuf made = new Chunk(said.peer(), said.id(), said.isOfReply(), isLast, place)
                .begin(pipe.allocator(), bytes.readableBytes());
        made.writeBytes(bytes, bytes.readerIndex(), bytes.readableBytes());
        Header.finish(made);
        pipe.send(made);
    }
}
