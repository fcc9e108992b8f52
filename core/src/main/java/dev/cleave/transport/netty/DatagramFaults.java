package dev.cleave.transport.netty;

import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/** What happens to datagrams on their way: nothing, unless a test wants them lost, doubled or in another order. */
@FunctionalInterface
interface DatagramFaults {

    /** All are sent as they are. */
    DatagramFaults NONE = (datagram, wire) -> wire.accept(datagram);

    /**
     * A datagram is to be sent. On the event threads of the transport; of one connection one after the other.
     *
     * @param datagram the callee's to release, or to give to the wire now or later
     * @param wire sends a datagram, which it takes over; on the thread of this call only
     */
    void send(ByteBuf datagram, Consumer<ByteBuf> wire);
}
