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
 * Gives small buffers to the kernel past the channel, where nothing waits in it: for each buffer the channel makes a note, which
 * a thread that is not the event loop's own never uses again. Only where the socket is one of Netty's own. On the event loop, or {@linkplain KernelWait while it waits}.
 */
final class StraightWrites {

    /** Larger ones are better gathered by the channel. */
    static final int MOST = Outbox.BLOCK;

    private final Channel channel;
    private final @Nullable Socket socket;

    StraightWrites(Channel channel) {
        this.channel = requireNonNull(channel, "channel");
        socket = channel instanceof UnixChannel unix && unix.fd() instanceof Socket own ? own : null;
    }

    /** Takes over a buffer and returns true if the kernel has taken all of it; else what is left in it is for the channel. */
    boolean take(ByteBuf part) {
        int length = part.readableBytes();
        if (socket == null || length == 0 || length > MOST || !part.hasMemoryAddress() || !isIdle()) {
            return false;
        }
        try {
            part.skipBytes(socket.sendAddress(part.memoryAddress(), part.readerIndex(), part.writerIndex()));
        } catch (IOException e) { // the channel meets it as well, and says so
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
