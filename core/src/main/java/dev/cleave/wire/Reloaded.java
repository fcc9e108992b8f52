package dev.cleave.wire;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * RELOADED: the answer to {@link Reload}.
 *
 * <pre>
 *   header (kind 53, id = request) | u16 count | string outcome ...
 * </pre>
 *
 * @param id the request
 * @param outcomes of a node its own; of a broker its own, then those of the nodes: {@code name: what it has done}
 */
public record Reloaded(long id, List<String> outcomes) implements Frame {

    /** Copies its component. */
    public Reloaded {
        outcomes = List.copyOf(outcomes);
    }

    /** Reads a frame. */
    public static Reloaded read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.RELOADED);
        Reloaded read = new Reloaded(in.id(), in.strings());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.RELOADED, 0, id), out -> out.strings(outcomes));
    }
}
