package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * LOADED, the report of a server after {@link LoadWatch}: the load of a service.
 *
 * <pre>
 *   header (kind 29) | string service | u32 waiting | u32 running | u64 arrived
 * </pre>
 *
 * @param service its name
 * @param waiting calls that wait in its queue
 * @param running calls that run
 * @param arrived the number of calls that have ever moved here from other replicas; never decreases
 */
public record Loaded(String service, int waiting, int running, long arrived) implements Frame {

    /** Checks its components. */
    public Loaded {
        requireNonNull(service, "service");
    }

    /** Reads a frame. */
    public static Loaded read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.LOADED);
        Loaded read = new Loaded(in.string(), in.u32(), in.u32(), in.u64());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator,
                new FrameWriter.Address(FrameKind.LOADED, 0, 0),
                out -> out.string(service).u32(waiting).u32(running).u64(arrived));
    }
}
