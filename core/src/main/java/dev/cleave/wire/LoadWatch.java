package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * LOAD_WATCH: the broker asks a server to report the load of a service by {@link Loaded}, at once and at every change
 * that matters.
 *
 * <pre>
 *   header (kind 28) | string service | list of (u32 edge)
 * </pre>
 *
 * <p>Sent only to a peer with {@link Hello#MIGRATES}.
 *
 * @param service its name
 * @param edges the loads at which a condition may begin or cease to hold; if empty, the server stops reporting
 */
public record LoadWatch(String service, List<Integer> edges) implements Frame {

    /** Checks and copies its components. */
    public LoadWatch {
        requireNonNull(service, "service");
        edges = List.copyOf(edges);
    }

    /** Reads a frame. */
    public static LoadWatch read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.LOAD_WATCH);
        LoadWatch read = new LoadWatch(in.string(), in.list(Integer.BYTES, FrameReader::u32));
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.LOAD_WATCH, 0, 0), out -> out.string(service)
                        .list(edges, FrameWriter::u32));
    }
}
