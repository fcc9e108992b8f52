package dev.cleave.transport.netty;

import io.netty.buffer.ByteBuf;
import java.util.function.Consumer;

/** Changes datagrams on their way: not at all, unless a test loses, doubles or reorders them. */
@FunctionalInterface
interface DatagramFaults {

    /** Sends all datagrams as they are. */
    DatagramFaults NONE = (datagram, wire) -> wire.accept(datagram);

    /**
     * Takes a datagram that is to be sent. Called on the event threads of the transport; for one connection, one call
     * after the other.
     *
     * @param datagram this method releases it, or gives it to the wire now or later
     * @param wire sends a datagram and takes it over; only on the thread of this call
     */
    void send(ByteBuf datagram, Consumer<ByteBuf> wire);
}
