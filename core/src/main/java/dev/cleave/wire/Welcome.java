package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * WELCOME: a broker of a cluster tells a node which brokers there are; after HELLO, and at every change.
 *
 * <pre>
 *   header (kind 54, id = flags) | string self | list of (string id | string endpoint | u64 fence | u64 started)
 * </pre>
 *
 * <p>Flag 1: the broker leaves, and is not in the list. Flag 2: it does not reach the store of the cluster, so that its
 * list may be old.
 *
 * @param self the id of the broker that sends this
 * @param leaves whether it leaves
 * @param isDegraded whether it does not reach the store
 * @param brokers all live ones that it knows
 */
public record Welcome(String self, boolean leaves, boolean isDegraded, List<Broker> brokers) implements Frame {

    /** The most brokers of a list. */
    public static final int MOST = 256;

    private static final int LEAVES = 1;
    private static final int DEGRADED = 2;

    /** Checks its components. */
    public Welcome {
        requireNonNull(self, "self");
        brokers = List.copyOf(brokers);
        if (brokers.size() > MOST) {
            throw new WireException(
                    ErrorCode.TOO_LARGE, "brokers: " + brokers.size() + " (expected: at most " + MOST + ")");
        }
    }

    /** Reads a frame. */
    public static Welcome read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.WELCOME);
        Welcome read = new Welcome(
                plain(in.string()),
                (in.id() & LEAVES) != 0,
                (in.id() & DEGRADED) != 0,
                in.list(Broker.LEAST_BYTES, Broker::read));
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        long flags = (leaves ? LEAVES : 0) | (isDegraded ? DEGRADED : 0);
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.WELCOME, 0, flags), out -> out.string(self)
                        .list(brokers, (o, broker) -> broker.write(o)));
    }

    private static String plain(String name) {
        if (!Names.isPlain(name)) {
            throw new WireException(
                    ErrorCode.PROTOCOL, "broker: " + Names.shown(name) + " (expected: no control characters)");
        }
        return name;
    }

    /**
     * One broker.
     *
     * @param id its name, of one process
     * @param endpoint where nodes dial it
     * @param fence its fencing token in the store
     * @param startedMillis when it started, in ms since 1970
     */
    public record Broker(String id, String endpoint, long fence, long startedMillis) {

        private static final int LEAST_BYTES = 2 * Short.BYTES + 2 * Long.BYTES;

        /** Checks its components. */
        public Broker {
            requireNonNull(id, "id");
            requireNonNull(endpoint, "endpoint");
        }

        private static Broker read(FrameReader in) {
            return new Broker(plain(in.string()), plain(in.string()), in.bits64(), in.bits64());
        }

        private void write(FrameWriter out) {
            out.string(id).string(endpoint).bits64(fence).bits64(startedMillis);
        }
    }
}
