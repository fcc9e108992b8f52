package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/**
 * LOAD_ASK: a broker asks another one for the {@link Loads} of the replicas of a service that are connected to that one, or
 * wants them no more. Has no answer. Between brokers only, and only to peers with {@linkplain FrameKind#feature its feature}.
 *
 * <pre>
 *   header (kind 57) | string service | u8 whether it wants them
 * </pre>
 *
 * @param service its name
 * @param isWanted whether the sender wants the loads from now on
 */
public record LoadAsk(String service, boolean isWanted) implements Frame {

    /** Checks its components. */
    public LoadAsk {
        requireNonNull(service, "service");
    }

    /** Reads a frame. */
    public static LoadAsk read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.LOAD_ASK);
        LoadAsk read = new LoadAsk(in.string(), in.u8() != 0);
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.LOAD_ASK, 0, 0), out -> out.string(service)
                        .u8(isWanted ? 1 : 0));
    }
}
