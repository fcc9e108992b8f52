package dev.cleave.jmh.bench.bare;

import dev.cleave.jmh.bench.contender.Contender;
import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.locks.LockSupport;

/**
 * A caller over a channel that it shares with others: sums what comes back, and wakes its thread when it has all that it
 * waits for. Of one thread, but for what the event loop tells it.
 */
final class NettyCaller implements Contender.Caller {

    private static final int SMALL = 32;

    private final NettyOut out;
    private final int number;
    private final NettyReplies replies;
    private volatile Thread thread = Thread.currentThread();
    private int expected; // before the request is written: the event loop reads it after
    private boolean array; // before the request is written: the event loop reads it after
    private int count; // event loop only
    private long sum; // event loop only, until all are there
    private byte[] bytes = {}; // event loop only, until all are there
    private double[] doubles = {}; // event loop only, until all are there
    private volatile boolean complete;

    NettyCaller(NettyOut out, int number, NettyReplies replies) {
        this.out = out;
        this.number = number;
        this.replies = replies;
    }

    @Override
    public void nothing() throws IOException {
        expect(1, false);
        out.send(request(EchoFrames.NOTHING, 0));
        long unused = await();
    }

    @Override
    public long echo(long value) throws IOException {
        expect(1, false);
        out.send(request(EchoFrames.ECHO, Long.BYTES).writeLongLE(value));
        return await();
    }

    @Override
    public byte[] echo(byte[] value) throws IOException {
        expect(1, false);
        out.send(request(EchoFrames.BYTES, value.length).writeBytes(value));
        long unused = await();
        return bytes;
    }

    @Override
    public long echoes(int calls, int window) throws IOException {
        return echoes(calls, window, (frames, i) -> header(frames, EchoFrames.ECHO, Long.BYTES)
                .writeLongLE(i));
    }

    @Override
    public long echoes(byte[] value, int calls, int window) throws IOException {
        return echoes(calls, window, (frames, i) -> header(frames, EchoFrames.BYTES, value.length)
                .writeBytes(value));
    }

    private long echoes(int calls, int window, Request request) throws IOException {
        long total = 0;
        for (int first = 0; first < calls; first += window) {
            int end = Math.min(calls, first + window);
            expect(end - first, false);
            ByteBuf frames = buffer(SMALL);
            for (int i = first; i < end; i++) {
                request.write(frames, i);
                if (!out.joins() && i + 1 < end) {
                    out.send(frames);
                    frames = buffer(SMALL);
                }
            }
            out.send(frames);
            total += await();
        }
        return total;
    }

    @Override
    public double ends(double[] values) throws IOException {
        expect(1, false);
        ByteBuf frame = request(EchoFrames.ENDS, values.length * Double.BYTES);
        NettyBytes.write(frame, values);
        out.send(frame);
        return Double.longBitsToDouble(await());
    }

    @Override
    public double[] doubles(int length) throws IOException {
        expect(1, true);
        out.send(request(EchoFrames.DOUBLES, Integer.BYTES).writeIntLE(length));
        long unused = await();
        double[] result = doubles;
        doubles = new double[0];
        return result;
    }

    private void expect(int requests, boolean anArray) {
        thread = Thread.currentThread();
        expected = requests;
        array = anArray;
        complete = false;
    }

    /** Waits for as many replies as are expected, and returns the sum of their numbers or of their lengths. */
    private long await() throws IOException {
        out.flush();
        while (!complete) {
            if (replies.isClosed()) {
                throw new IOException("the server closed the connection");
            }
            LockSupport.park(this);
        }
        return sum;
    }

    private ByteBuf request(byte kind, int length) {
        return header(buffer(EchoFrames.REQUEST_HEADER + length), kind, length);
    }

    private ByteBuf header(ByteBuf frame, byte kind, int length) {
        return frame.writeByte(kind).writeIntLE(number).writeIntLE(length);
    }

    private ByteBuf buffer(int bytes) {
        return out.channel.alloc().directBuffer(bytes);
    }

    /** Whether the body of the next reply is an array. On the event loop. */
    boolean awaitsArray() {
        return array;
    }

    /** A number of eight bytes, nothing, or some bytes. On the event loop. */
    void received(ByteBuffer body) {
        if (body.remaining() == Long.BYTES) {
            add(body.getLong());
            return;
        }
        byte[] copy = new byte[body.remaining()];
        body.get(copy);
        received(copy);
    }

    /** Some bytes. On the event loop. */
    void received(byte[] result) {
        bytes = result;
        add(result.length);
    }

    /** An array. On the event loop. */
    void received(double[] result) {
        doubles = result;
        add(0);
    }

    void wake() {
        LockSupport.unpark(thread);
    }

    private void add(long value) {
        sum = count == 0 ? value : sum + value;
        count++;
        if (count == expected) {
            count = 0;
            complete = true;
            wake();
        }
    }

    private interface Request {

        void write(ByteBuf frames, int i);
    }
}
