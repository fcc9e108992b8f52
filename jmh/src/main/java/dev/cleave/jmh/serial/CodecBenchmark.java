package dev.cleave.jmh.serial;

import dev.cleave.serial.AnnouncedNames;
import dev.cleave.serial.Announcements;
import dev.cleave.serial.Codec;
import dev.cleave.serial.Numbers;
import dev.cleave.serial.TypePolicy;
import dev.cleave.serial.ValueReader;
import dev.cleave.serial.ValueWriter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
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
 * What does a value cost to write and to read, once its types have been announced?
 *
 * <p>Run: {@code bin/cleave jmh CodecBenchmark -prof gc}
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
public class CodecBenchmark {

    /** A value with parts. */
    public record Order(int number, String customer, List<String> items) {}

    /** The values that are written and read. */
    public enum Value {
        /** A string of 16 letters. */
        STRING("a string of 16 c"),
        /** A record of a number, a string and a list of strings. */
        RECORD(new Order(42, "Harvey", List.of("carrot", "hat"))),
        /** 128 numbers. */
        LONGS(new long[128]);

        private final Object value;

        Value(Object value) {
            this.value = value;
        }
    }

    /** The value that is written and read. */
    @Param
    public Value value = Value.STRING;

    private final Numbers numbers = new Numbers();
    private final AnnouncedNames names = new AnnouncedNames();
    private final Announcements announcements = new Announcements(numbers, names::announced);
    private final Codec codec = new Codec(
            TypePolicy.of(
                    List.of(
                            new TypePolicy.Root(Order.class, "order"),
                            new TypePolicy.Root(String.class, "string"),
                            new TypePolicy.Root(long[].class, "longs")),
                    List.of()),
            numbers);
    private final ByteBuf target = Unpooled.directBuffer(4 << 10);
    private final ByteBuf written = Unpooled.directBuffer(4 << 10);

    /** Writes the value once, and announces its types. */
    @Setup
    public void prepare() {
        announcements.upTo(write(written.clear()));
    }

    /** Gives the buffers back. */
    @TearDown
    public void release() {
        target.release();
        written.release();
    }

    /** Writes it. */
    @Benchmark
    public int write() {
        return write(target.clear());
    }

    /** Reads it. */
    @Benchmark
    public @Nullable Object read() {
        try (ValueReader reader = codec.reader(written.readerIndex(0), names)) {
            return reader.takeObject();
        }
    }

    private int write(ByteBuf to) {
        ValueWriter writer = codec.writer(to);
        writer.putObject(value.value);
        return writer.finish(place -> "value " + place);
    }
}
