package dev.cleave.serial;

import static java.util.Objects.requireNonNull;

import dev.cleave.ValueCodec;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a {@link ValueCodec} keeps its contract; for tests of programs, with any test framework:
 *
 * <pre>{@code
 * ValueCodecContract.check(new MoneyCodec(), List.of(Money.of("1.50 EUR"), Money.ZERO), Object::equals);
 * }</pre>
 *
 * <p>Each method throws an {@link AssertionError} that says what is wrong.
 */
public final class ValueCodecContract {

    private static final int ROUNDS = 2_000;
    private static final int THREADS = 4;
    private static final long MOST_ALLOCATED = 16 << 20; // by reading a few mutated bytes

    private ValueCodecContract() {}

    /**
     * Checks a codec: values arrive equal, alone, beside each other and in several threads; one object that occurs twice
     * arrives as one; bytes that are cut off or mutated end in an exception or another value, without taking memory.
     *
     * @param values values of all sorts that the codec writes, at least one
     * @param equal says whether a value that has arrived is that which was sent
     */
    public static <T> void check(
            ValueCodec<T> codec, List<? extends T> values, BiPredicate<? super T, ? super T> equal) {
        if (values.isEmpty()) {
            throw new IllegalArgumentException("values: none (expected: at least one)");
        }
        Sides<T> sides = new Sides<>(codec);
        arriveEqual(sides, values, equal);
        shareIdentity(sides, values.get(0));
        List<CompletableFuture<Void>> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            threads.add(CompletableFuture.runAsync(() -> arriveEqual(sides, values, equal)));
        }
        threads.forEach(CompletableFuture::join);
        values.forEach(value -> survivesMutation(sides, value));
    }

    private static <T> void arriveEqual(
            Sides<T> sides, List<? extends T> values, BiPredicate<? super T, ? super T> equal) {
        for (T value : values) {
            equal(sides, value, sides.read(sides.write(value)), equal);
        }
        List<?> all = requireNonNull((List<?>) sides.read(sides.write(new ArrayList<>(values))), "list");
        for (int i = 0; i < values.size(); i++) {
            equal(sides, values.get(i), all.get(i), equal);
        }
    }

    private static <T> void equal(
            Sides<T> sides, T value, @Nullable Object copy, BiPredicate<? super T, ? super T> equal) {
        if (!equal.test(value, sides.codec.type().cast(copy))) {
            throw new AssertionError(sides.name() + ": sent " + value + ", arrived " + copy);
        }
    }

    private static <T> void shareIdentity(Sides<T> sides, T value) {
        List<?> copy = (List<?>) sides.read(sides.write(new ArrayList<>(Arrays.asList(value, value))));
        if (copy == null || copy.get(0) != copy.get(1)) {
            throw new AssertionError(sides.name() + ": one object that was sent twice arrived as two");
        }
    }

    private static <T> void survivesMutation(Sides<T> sides, T value) {
        byte[] good = sides.write(value);
        Random random = new Random(good.length);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] bytes = Arrays.copyOf(good, round % 2 == 0 ? good.length : random.nextInt(good.length));
            for (int i = round % 2 == 0 ? 1 + random.nextInt(3) : 0; i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            }
            long before = allocated();
            try {
                sides.read(bytes);
            } catch (SerialException expected) {
                continue;
            } finally {
                long took = allocated() - before;
                if (took > MOST_ALLOCATED) {
                    throw new AssertionError(sides.name() + ": reading " + bytes.length + " mutated bytes takes " + took
                            + " bytes of memory (expected: it checks lengths before it allocates)");
                }
            }
        }
    }

    private static long allocated() {
        return ManagementFactory.getThreadMXBean() instanceof com.sun.management.ThreadMXBean threads
                ? threads.getThreadAllocatedBytes(Thread.currentThread().getId())
                : 0;
    }

    /** A writer and a reader of the codec's type. */
    private static final class Sides<T> {

        private final ValueCodec<T> codec;
        private final Numbers numbers = new Numbers();
        private final AnnouncedNames names = new AnnouncedNames();
        private final Announcements announcements = new Announcements(numbers, names::announced);
        private final Codec both;

        Sides(ValueCodec<T> codec) {
            this.codec = codec;
            TypePolicy policy = TypePolicy.of(
                    List.of(new TypePolicy.Root(codec.type(), codec.type().getSimpleName())),
                    List.of(),
                    List.of(codec));
            both = new Codec(policy, numbers);
        }

        String name() {
            return codec.getClass().getName();
        }

        byte[] write(Object value) {
            ByteBuf buffer = Unpooled.buffer();
            ValueWriter writer = both.writer(buffer);
            writer.putObject(value);
            announcements.upTo(writer.finish(i -> name()));
            byte[] bytes = new byte[buffer.readableBytes()];
            buffer.readBytes(bytes);
            return bytes;
        }

        @Nullable
        Object read(byte[] bytes) {
            try (ValueReader reader = both.reader(Unpooled.wrappedBuffer(bytes), names)) {
                return reader.takeObject();
            }
        }
    }
}
