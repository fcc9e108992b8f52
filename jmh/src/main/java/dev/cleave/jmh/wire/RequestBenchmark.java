package dev.cleave.jmh.wire;

import dev.cleave.wire.Header;
import dev.cleave.wire.RequestHead;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What does a REQUEST frame cost to write and to read, with arguments of this many bytes?
 *
 * <p>Run: {@code bin/cleave jmh RequestBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class RequestBenchmark {

    /** Bytes of arguments. */
    @Param({"8", "1024"})
    public int argumentBytes = 8;

    private final RequestHead request = new RequestHead(0, 42, 7, 30_000_000);
    private byte[] arguments = new byte[0];
    private ByteBuf written = PooledByteBufAllocator.DEFAULT.buffer();

    /** Makes the arguments and one finished frame. */
    @Setup
    public void prepare() {
        arguments = new byte[argumentBytes];
        written.release();
        written = frame();
    }

    /** Gives the frame back. */
    @TearDown
    public void release() {
        written.release();
    }

    /** Writes a frame into a pooled buffer. */
    @Benchmark
    public int write() {
        ByteBuf frame = frame();
        int length = frame.readableBytes();
        frame.release();
        return length;
    }

    /** Reads the fields of a frame. */
    @Benchmark
    public RequestHead read() {
        written.readerIndex(0);
        return RequestHead.read(written);
    }

    private ByteBuf frame() {
        ByteBuf frame = request.begin(PooledByteBufAllocator.DEFAULT, argumentBytes);
        frame.writeBytes(arguments);
        Header.finish(frame);
        return frame;
    }
}
