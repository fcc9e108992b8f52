package dev.cleave.jmh.bench.bare;

import static java.util.Objects.requireNonNull;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The server's side of a channel: the replies to what one read has brought go together. */
@SuppressWarnings("FutureReturnValueIgnored") // a void promise tells the pipeline of failures
final class NettyEcho extends NettyBytes implements EchoServer.Out {

    private final EchoServer server = new EchoServer(this);
    private @Nullable ByteBuf out;

    @Override
    void feed(ChannelHandlerContext context, ByteBuffer in) throws IOException {
        out = context.alloc().buffer();
        server.feed(in);
        context.write(out, context.voidPromise());
        out = null;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        context.flush();
    }

    @Override
    public void reply(int caller, int length, long value) {
        ByteBuf to = header(caller, length);
        if (length > 0) {
            to.writeLongLE(value);
        }
    }

    @Override
    public void reply(int caller, ByteBuffer bytes) {
        header(caller, bytes.remaining()).writeBytes(bytes);
    }

    @Override
    public void reply(int caller, double[] values) {
        NettyBytes.write(header(caller, values.length * Double.BYTES), values);
    }

    private ByteBuf header(int caller, int length) {
        return requireNonNull(out).writeIntLE(caller).writeIntLE(length);
    }
}
