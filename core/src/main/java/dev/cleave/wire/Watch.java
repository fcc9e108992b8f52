package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * WATCH: asks for the replicas of a service as {@link Lookup} does, and for {@link Replicas} with id 0 at every change
 * until the connection ends.
 *
 * <pre>
 *   header (kind 16, id = request) | string service
 * </pre>
 *
 * <p>Flag 1 says that a part of the replicas will do, if there are many.
 *
 * @param id the request
 * @param service its name
 * @param isPartEnough whether the broker may tell of some replicas alone
 */
public record Watch(long id, String service, boolean isPartEnough) implements Frame {

    private static final int PART = 1;

    /** Checks its components. */
    public Watch {
        requireNonNull(service, "service");
    }

    /** Creates the request for all replicas. */
    public Watch(long id, String service) {
        this(id, service, false);
    }

    /** Reads a frame. */
    public static Watch read(ByteBuf frame) {
        boolean isPartEnough = frame.readableBytes() >= Header.LENGTH && (Header.flags(frame) & PART) != 0;
        FrameReader in = FrameReader.open(frame, FrameKind.WATCH);
        Watch read = new Watch(in.id(), in.string(), isPartEnough);
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf frame = FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.WATCH, 0, id), out -> out.string(service));
        if (isPartEnough) {
            Header.flags(frame, PART);
        }
        return frame;
    }
}
