package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * SERVICES, the answer to {@link ListServices}.
 *
 * <pre>
 *   header (kind 19, id = request) | list of (string service | string interface | u8 route | list of
 *   (string replica | string endpoint | u8 state | load (16 bytes) | u32 lease | string address))
 * </pre>
 *
 * @param id the request
 * @param services all that are registered
 */
public record Services(long id, List<Service> services) implements Frame {

    /** Checks its components. */
    public Services {
        services = List.copyOf(services);
    }

    /** Reads a frame. */
    public static Services read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.SERVICES);
        Services read = new Services(in.id(), in.list(Service.LEAST_BYTES, Service::read));
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator,
                new FrameWriter.Address(FrameKind.SERVICES, 0, id),
                out -> out.list(services, (o, service) -> service.write(o)));
    }

    /**
     * One service.
     *
     * @param name its name
     * @param interfaceName the binary name of the remote interface
     * @param route how calls travel
     * @param replicas all that are registered
     */
    public record Service(String name, String interfaceName, Route route, List<Replica> replicas) {

        private static final int LEAST_BYTES = Short.BYTES + Short.BYTES + Byte.BYTES + Short.BYTES;

        /** Checks its components. */
        public Service {
            requireNonNull(name, "name");
            requireNonNull(interfaceName, "interfaceName");
            requireNonNull(route, "route");
            replicas = List.copyOf(replicas);
        }

        private static Service read(FrameReader in) {
            return new Service(
                    in.string(), in.string(), Route.of(in.u8()), in.list(Replica.LEAST_BYTES, Replica::read));
        }

        private void write(FrameWriter out) {
            out.string(name).string(interfaceName).u8(route.ordinal()).list(replicas, (o, replica) -> replica.write(o));
        }
    }

    /**
     * One replica of a service.
     *
     * @param name its name
     * @param endpoint the endpoint that clients dial; empty if calls go through the broker
     * @param state its state at the broker
     * @param load the load that it reported last
     * @param leaseMillis the remaining time of its lease, in ms
     * @param address the address that its connection comes from; {@code broker ENDPOINT} if it is connected to another
     *     broker of the cluster
     */
    public record Replica(
            String name, String endpoint, ReplicaState state, Load load, int leaseMillis, String address) {

        private static final int LEAST_BYTES = 3 * Short.BYTES + Byte.BYTES + Load.BYTES + Integer.BYTES;

        /** Checks its components. */
        public Replica {
            requireNonNull(name, "name");
            requireNonNull(endpoint, "endpoint");
            requireNonNull(state, "state");
            requireNonNull(load, "load");
            requireNonNull(address, "address");
        }

        /** Whether it is connected to another broker than the one that tells of it. */
        public boolean isElsewhere() {
            return address.startsWith("broker ");
        }

        /** This replica with another load. */
        public Replica of(Load known) {
            return new Replica(name, endpoint, state, known, leaseMillis, address);
        }

        private static Replica read(FrameReader in) {
            return new Replica(
                    in.string(), in.string(), ReplicaState.of(in.u8()), Load.read(in), in.u32(), in.string());
        }

        private void write(FrameWriter out) {
            out.string(name).string(endpoint).u8(state.ordinal());
            load.write(out);
            out.u32(leaseMillis).string(address);
        }
    }
}
