package dev.cleave.transport.netty;

import io.netty.buffer.ByteBuf;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Transports whose datagrams are lost, doubled or sent in another order, for tests of other packages. */
public final class FaultyDatagrams {

    private FaultyDatagrams() {}

    /**
     * A transport with the usual options.
     *
     * @param faults takes each datagram over, and gives to the second argument what the wire is to carry
     */
    public static NettyTransport transport(BiConsumer<ByteBuf, Consumer<ByteBuf>> faults) {
        return NettyTransport.create(NettyOptions.DEFAULT, faults::accept);
    }
}
