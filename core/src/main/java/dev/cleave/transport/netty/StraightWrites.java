package dev.cleave.transport.netty;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * Writes small buffers directly to the socket while the channel has no waiting bytes: the channel would allocate an
 * entry for each buffer, which only the event loop's own thread can reuse. Works only with Netty's native sockets. On
 * the event loop, or {@linkplain KernelWait while it waits}.
 */
final class StraightWrites {

    /** The most bytes of a buffer; the channel gathers larger ones. */
    static final int MOST = Outbox.BLOCK;

    private final Channel channel;
    private final @Nullable Socket socket;

    /**
     * Creates the writer of a channel.
     *
     * @param isPlain whether buffers may go to the socket as they are
     */
    StraightWrites(Channel channel, boolean isPlain) {
        this.channel = requireNonNull(channel, "channel");
        socket = isPlain && channel instanceof UnixChannel unix && unix.fd() instanceof Socket own ? own : null;
    }

    /**
     * Takes over a buffer and returns true if the kernel has taken all of it; else the caller must give the rest to the
     * channel.
     */
    boolean take(ByteBuf part) {
        int length = part.readableBytes();
        if (socket == null || length == 0 || length > MOST || !part.hasMemoryAddress() || !isIdle()) {
            return false;
        }
        try {
            part.skipBytes(socket.sendAddress(part.memoryAddress(), part.readerIndex(), part.writerIndex()));
        } catch (IOException e) { // the channel's next write fails as well, and reports it
            return false;
        }
        if (part.isReadable()) {
            return false;
        }
        part.release();
        return true;
    }

    private boolean isIdle() {
        ChannelOutboundBuffer waiting = channel.unsafe().outboundBuffer();
        return waiting != null && waiting.isEmpty() && waiting.totalPendingWriteBytes() == 0 && channel.isActive();
    }
}
