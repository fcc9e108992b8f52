package dev.cleave.jmh.bench.bare;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.jspecify.annotations.Nullable;

/** Hands on the bytes of a channel, the unread rest of what came before in front of what comes. */
abstract class NettyBytes extends ChannelInboundHandlerAdapter {

    private @Nullable ByteBuf rest;

    /** Reads what is complete. */
    abstract void feed(ChannelHandlerContext context, ByteBuffer in) throws IOException;

    @Override
    public final void channelRead(ChannelHandlerContext context, Object message) throws IOException {
        ByteBuf bytes = (ByteBuf) message;
        ByteBuf all = bytes;
        if (rest != null) {
            all = rest.writeBytes(bytes);
            bytes.release();
            rest = null;
        }
        ByteBuffer in =
                all.internalNioBuffer(all.readerIndex(), all.readableBytes()).order(ByteOrder.LITTLE_ENDIAN);
        feed(context, in);
        if (in.hasRemaining()) {
            rest = context.alloc().buffer();
            rest.writeBytes(all, all.writerIndex() - in.remaining(), in.remaining());
        }
        all.release();
    }

    /** Writes an array, copied at once. */
    static void write(ByteBuf out, double[] values) {
        int bytes = values.length * Double.BYTES;
        out.ensureWritable(bytes);
        out.nioBuffer(out.writerIndex(), bytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .asDoubleBuffer()
                .put(values);
        out.writerIndex(out.writerIndex() + bytes);
    }
}
