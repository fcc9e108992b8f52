package dev.cleave.jmh.bench.bare;

import io.netty.channel.ChannelHandlerContext;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** The client's side of a channel: hands each reply to its caller. */
final class NettyReplies extends NettyBytes {

    private final List<NettyCaller> callers = new CopyOnWriteArrayList<>();
    private @Nullable ArrayInFlight result; // event loop only
    private @Nullable BytesInFlight bytes; // event loop only
    private int caller; // event loop only
    private volatile boolean closed;

    synchronized NettyCaller caller(NettyOut out) {
        NettyCaller caller = new NettyCaller(out, callers.size(), this);
        callers.add(caller);
        return caller;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    void feed(ChannelHandlerContext context, ByteBuffer in) {
        while (result != null ? fill(in, result) : bytes != null ? fill(in, bytes) : next(in)) {
            // The next reply, or the next part of the array.
        }
    }

    private boolean next(ByteBuffer in) {
        if (in.remaining() < EchoFrames.REPLY_HEADER) {
            return false;
        }
        int start = in.position();
        int length = in.getInt(start + Integer.BYTES);
        caller = in.getInt(start);
        int body = start + EchoFrames.REPLY_HEADER;
        if (callers.get(caller).awaitsArray()) {
            in.position(body);
            result = new ArrayInFlight(length / Double.BYTES);
            return true;
        }
        if (length >= BytesInFlight.LEAST) {
            in.position(body);
            bytes = new BytesInFlight(length);
            return true;
        }
        if (in.limit() - body < length) {
            return false;
        }
        in.position(body + length);
        callers.get(caller).received(in.slice(body, length).order(in.order()));
        return true;
    }

    private boolean fill(ByteBuffer in, ArrayInFlight array) {
        if (!array.fill(in)) {
            return false;
        }
        result = null;
        callers.get(caller).received(array.values());
        return true;
    }

    private boolean fill(ByteBuffer in, BytesInFlight body) {
        if (!body.fill(in)) {
            return false;
        }
        bytes = null;
        callers.get(caller).received(body.bytes());
        return true;
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        closed = true;
        callers.forEach(NettyCaller::wake);
    }
}
