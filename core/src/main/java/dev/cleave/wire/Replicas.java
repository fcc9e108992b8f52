package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * REPLICAS, the answer to {@link Lookup} and {@link Watch}; after a watch also sent with id 0 at every change.
 *
 * <pre>
 *   header (kind 17, id = request) | string service | u64 version | u8 route
 *   | list of (string replica | u64 incarnation | u8 state | list of (string endpoint))
 * </pre>
 *
 * <p>Flag 1 says that no replica is left because the last one was withdrawn by {@link Unregister}; without it, the list
 * may be empty because the broker has lost connections.
 *
 * @param id the request, or 0
 * @param service its name
 * @param version grows with every change; 0 = the service is not known
 * @param route how calls travel
 * @param replicas all live ones
 * @param withdrawn whether the last replica that left was withdrawn
 */
public record Replicas(long id, String service, long version, Route route, List<Replica> replicas, boolean withdrawn)
        implements Frame {

    private static final int WITHDRAWN = 1;

    /** Checks its components. */
    public Replicas {
        requireNonNull(service, "service");
        requireNonNull(route, "route");
        replicas = List.copyOf(replicas);
    }

    /** Creates the answer for a service that was not withdrawn. */
    public Replicas(long id, String service, long version, Route route, List<Replica> replicas) {
        this(id, service, version, route, replicas, false);
    }

    /** Reads a frame. */
    public static Replicas read(ByteBuf frame) {
        boolean withdrawn = frame.readableBytes() >= Header.LENGTH && (Header.flags(frame) & WITHDRAWN) != 0;
        FrameReader in = FrameReader.open(frame, FrameKind.REPLICAS);
        Replicas read = new Replicas(
                in.id(),
                in.string(),
                in.u64(),
                Route.of(in.u8()),
                in.list(Replica.LEAST_BYTES, Replica::read),
                withdrawn);
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        ByteBuf frame = FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.REPLICAS, 0, id), out -> out.string(service)
                        .u64(version)
                        .u8(route.ordinal())
                        .list(replicas, (o, replica) -> replica.write(o)));
        if (withdrawn) {
            Header.flags(frame, WITHDRAWN);
        }
        return frame;
    }

    /**
     * One replica of the service.
     *
     * @param name its name
     * @param incarnation differs between two processes of the replica
     * @param state its state at the broker
     * @param endpoints the endpoints to dial; empty if calls go through the broker
     */
    public record Replica(String name, long incarnation, ReplicaState state, List<String> endpoints) {

        private static final int LEAST_BYTES = Short.BYTES + Long.BYTES + Byte.BYTES + Short.BYTES;

        /** Checks its components. */
        public Replica {
            requireNonNull(name, "name");
            requireNonNull(state, "state");
            endpoints = List.copyOf(endpoints);
        }

        private static Replica read(FrameReader in) {
            return new Replica(in.string(), in.bits64(), ReplicaState.of(in.u8()), in.strings());
        }

        private void write(FrameWriter out) {
            out.string(name).bits64(incarnation).u8(state.ordinal()).strings(endpoints);
        }
    }
}
