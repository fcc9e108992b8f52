package dev.cleave.wire;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.List;

/**
 * METHODS: the sender will use these numbers for these methods from now on (for this peer).
 *
 * <pre>
 *   header (kind 10, peer) | list of (u32 number | string service | string key)
 * </pre>
 *
 * @param peer the relayed client, or 0
 * @param methods numbers chosen by the sender, dense from 0
 */
public record Methods(int peer, List<Method> methods) implements Frame {

    /** Checks its components. */
    public Methods {
        Header.checkPeer(peer);
        methods = List.copyOf(methods);
    }

    /** Reads a frame. */
    public static Methods read(ByteBuf frame) {
        FrameReader in = FrameReader.open(frame, FrameKind.METHODS);
        Methods read = new Methods(in.peer(), in.list(Method.LEAST_BYTES, Method::read));
        in.end();
        return read;
    }

    @Override
    public ByteBuf write(ByteBufAllocator allocator) {
        return FrameWriter.frame(
                allocator,
                new FrameWriter.Address(FrameKind.METHODS, peer, 0),
                out -> out.list(methods, (o, method) -> method.write(o)));
    }

    /**
     * One method of one service.
     *
     * @param number its number in requests
     * @param service the service's name
     * @param key the method's name and descriptor, as {@code score(Ljava/lang/String;[B)I}
     */
    public record Method(int number, String service, String key) {

        private static final int LEAST_BYTES = Integer.BYTES + 2 * Short.BYTES;

        /** Checks its components. */
        public Method {
            requireNonNull(service, "service");
            requireNonNull(key, "key");
        }

        private static Method read(FrameReader in) {
            Method read = new Method(in.u32(), in.string(), in.string());
            if (read.service().indexOf('\n') >= 0) { // it separates service and key
                throw new WireException(
                        ErrorCode.PROTOCOL, "service: " + Names.shown(read.service()) + " (expected: no line break)");
            }
            return read;
        }

        private void write(FrameWriter out) {
            out.u32(number).string(service).string(key);
        }
    }
}
