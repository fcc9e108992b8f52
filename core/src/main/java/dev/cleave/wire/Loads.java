package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * LOADS: a broker tells another one, which has {@linkplain LoadAsk asked}, how busy some replicas of a service are that are
 * connected to it. Those that it does not name are as it has told before.
 *
 * <pre>
 *   header (kind 58) | string service | u64 fence | list of (string replica | load (16 bytes, see {@link Load}) | u32 room)
 * </pre>
 *
 * @param service its name
 * @param fence the epoch of the sender in the cluster
 * @param replicas those whose load has changed
 */
public record Loads(String service, long fence, List<Replica> replicas) implements Frame {

    /** Checks and copies its components. */
    public Loads {
        requireNonNull(service, "service");
        replicas = List.copyOf(replicas);
    }

    /**
     * The load of one replica.
     *
     * @param name its name
     * @param load how busy it is
     * @param room how many calls the receiver may send there: they need not wait at the sender, as far as that knows
     */
    public record Replica(String name, Load load, int room) {

        private static final int LEAST_BYTES = Short.BYTES + Load.BYTES + Integer.BYTES;

        /** Checks its components. */
        public Replica {
            requireNonNull(name, "name");
            requireNonNull(load, "load");
            if (room < 0) {
                throw new IllegalArgumentException("room: " + room + " (expected: not negative)");
            }
        }
    }

    /** Reads a frame. */
    public static Loads read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.LOADS);
        Loads read = new Loads(
                in.string(),
                in.u64(),
                in.list(Replica.LEAST_BYTES, one -> new Replica(one.string(), Load.read(one), one.u32())));
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(allocator, new FrameWriter.Address(FrameKind.LOADS, 0, 0), out -> out.string(service)
                .u64(fence)
                .list(replicas, (o, replica) -> {
                    o.string(replica.name());
                    replica.load().write(o);
                    o.u32(replica.room());
                }));
    }
}
