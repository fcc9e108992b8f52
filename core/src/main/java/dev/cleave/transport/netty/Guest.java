package dev.cleave.transport.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;

/** Takes the connections of another protocol that arrive at the ports at which a transport listens. */
public interface Guest {

    /** The bytes with which each connection of the protocol begins; no frame begins with them. */
    byte[] magic();

    /**
     * Takes over a connection. On its event thread: may not block.
     *
     * @param first the bytes that have arrived, which the guest releases
     */
    void welcome(Channel channel, ByteBuf first);
}
