package dev.cleave.jmh.bench.calls;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/** The client's side of a channel: sums the replies to each caller, and wakes it when it has all it waits for. */
final class NettyReplies extends NettyBytes {

    private final List<NettyCaller> callers = new CopyOnWriteArrayList<>();
    private volatile boolean closed;

    synchronized NettyCaller caller(Channel channel) {
        NettyCaller caller = new NettyCaller(channel, callers.size(), this);
        callers.add(caller);
        return caller;
    }

    @Override
    void feed(ChannelHandlerContext context, ByteBuffer in) {
        while (in.remaining() >= EchoFrames.REPLY_HEADER) {
            int start = in.position();
            int length = in.getInt(start + Integer.BYTES);
            if (in.remaining() < EchoFrames.REPLY_HEADER + length) {
                return;
            }
            in.position(start + EchoFrames.REPLY_HEADER + length);
            callers.get(in.getInt(start)).received(length > 0 ? in.getLong(start + EchoFrames.REPLY_HEADER) : 0);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        closed = true;
        callers.forEach(NettyCaller::wake);
    }

    /** Of one thread, but for what the event loop tells it. */
    @SuppressWarnings("FutureReturnValueIgnored") // a void promise tells the pipeline of failures
    static final class NettyCaller implements Contender.Caller {

        private final Channel channel;
        private final int number;
        private final NettyReplies replies;
        private volatile Thread thread = Thread.currentThread();
        private int expected; // before the request is written: the event loop reads it after
        private int count; // event loop only
        private long sum; // event loop only, until all are there
        private volatile boolean complete;

        private NettyCaller(Channel channel, int number, NettyReplies replies) {
            this.channel = channel;
            this.number = number;
            this.replies = replies;
        }

        @Override
        public void nothing() throws IOException {
            ByteBuf frame = request(EchoFrames.NOTHING, 0, EchoFrames.REQUEST_HEADER);
            long unused = exchange(frame, 1);
        }

        @Override
        public long echo(long value) throws IOException {
            ByteBuf frame = request(EchoFrames.ECHO, Long.BYTES, EchoFrames.REQUEST_HEADER + Long.BYTES);
            return exchange(frame.writeLongLE(value), 1);
        }

        @Override
        public long echoes(int calls, int window) throws IOException {
            long total = 0;
            for (int first = 0; first < calls; first += window) {
                int end = Math.min(calls, first + window);
                ByteBuf frames = channel.alloc().directBuffer((end - first) * (EchoFrames.REQUEST_HEADER + Long.BYTES));
                for (int i = first; i < end; i++) {
                    header(frames, EchoFrames.ECHO, Long.BYTES).writeLongLE(i);
                }
                total += exchange(frames, end - first);
            }
            return total;
        }

        @Override
        public double ends(double[] values) throws IOException {
            int bytes = values.length * Double.BYTES;
            ByteBuf frame = request(EchoFrames.ENDS, bytes, EchoFrames.REQUEST_HEADER + bytes);
            frame.nioBuffer(frame.writerIndex(), bytes)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .asDoubleBuffer()
                    .put(values);
            frame.writerIndex(frame.writerIndex() + bytes);
            return Double.longBitsToDouble(exchange(frame, 1));
        }

        /** Sends requests, and waits for as many replies. */
        private long exchange(ByteBuf frames, int requests) throws IOException {
            thread = Thread.currentThread();
            expected = requests;
            complete = false;
            channel.writeAndFlush(frames, channel.voidPromise());
            while (!complete) {
                if (replies.closed) {
                    throw new IOException("the server closed the connection");
                }
                LockSupport.park(this);
            }
            return sum;
        }

        private void received(long value) {
            sum = count == 0 ? value : sum + value;
            count++;
            if (count == expected) {
                count = 0;
                complete = true;
                LockSupport.unpark(thread);
            }
        }

        private void wake() {
            LockSupport.unpark(thread);
        }

        private ByteBuf request(byte kind, int length, int capacity) {
            return header(channel.alloc().directBuffer(capacity), kind, length);
        }

        private ByteBuf header(ByteBuf frame, byte kind, int length) {
            return frame.writeByte(kind).writeIntLE(number).writeIntLE(length);
        }
    }
}
