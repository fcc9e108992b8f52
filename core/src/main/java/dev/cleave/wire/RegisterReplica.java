package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * REGISTER: a server offers a replica of a service. Answered by {@link Registered} or {@link Failure}.
 *
 * <pre>
 *   header (kind 12, id = request) | string service | string replica | u64 incarnation
 *   | list of (string endpoint) | string interface | list of (string method key) | u32 lease
 * </pre>
 *
 * @param id the request
 * @param service its name
 * @param replica its name, unique within the service
 * @param incarnation differs between two processes of the replica
 * @param endpoints the endpoints that clients may dial; empty if it is reached through the broker alone
 * @param interfaceName the binary name of the remote interface
 * @param methodKeys its methods, as in {@link Methods}
 * @param leaseMillis the requested time of the registration without {@link Lease}, in ms
 */
public record RegisterReplica(
        long id,
        String service,
        String replica,
        long incarnation,
        List<String> endpoints,
        String interfaceName,
        List<String> methodKeys,
        int leaseMillis)
        implements Frame {

    /** Checks its components. */
    public RegisterReplica {
        requireNonNull(service, "service");
        requireNonNull(replica, "replica");
        requireNonNull(interfaceName, "interfaceName");
        endpoints = List.copyOf(endpoints);
        methodKeys = List.copyOf(methodKeys);
    }

    /** Reads a frame. */
    public static RegisterReplica read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.REGISTER);
        RegisterReplica read = new RegisterReplica(
                in.id(), in.string(), in.string(), in.bits64(), in.strings(), in.string(), in.strings(), in.u32());
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator, new FrameWriter.Address(FrameKind.REGISTER, 0, id), out -> out.string(service)
                        .string(replica)
                        .bits64(incarnation)
                        .strings(endpoints)
                        .string(interfaceName)
                        .strings(methodKeys)
                        .u32(leaseMillis));
    }
}
