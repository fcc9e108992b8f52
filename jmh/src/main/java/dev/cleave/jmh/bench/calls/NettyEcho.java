package dev.cleave.jmh.bench.calls;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The server's side of a channel: the replies to what one read has brought go together. */
@SuppressWarnings("FutureReturnValueIgnored") // a void promise tells the pipeline of failures
final class NettyEcho extends NettyBytes {

    private final EchoServer server = new EchoServer(this::reply);
    private @Nullable ByteBuf out;

    @Override
    void feed(ChannelHandlerContext context, ByteBuffer in) {
        out = context.alloc().buffer();
        server.feed(in);
        context.write(out, context.voidPromise());
        out = null;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    private void reply(int caller, int length, long value) {
        ByteBuf to = requireNonNull(out);
        to.writeIntLE(caller).writeIntLE(length);
        if (length > 0) {
            to.writeLongLE(value);
        }
    }
}
