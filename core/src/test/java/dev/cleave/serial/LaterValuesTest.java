package dev.cleave.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.Later;
import dev.cleave.testing.Seed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Later values within objects, where they stay in the message. */
@Tag("one-jdk")
class LaterValuesTest {

    record Cell(Later.Value<Object> content) {}

    private static Cell nested(int depth) {
        return new Cell(Later.Value.of(depth == 0 ? "end" : nested(depth - 1)));
    }

    @Test
    void theyComeBackAsWhatTheyAre() {
        Bench bench = Bench.of(Cell.class, Object.class);

        assertThat(bench.copy(new Cell(Later.Value.of(List.of(1, 2)))))
                .isEqualTo(new Cell(Later.Value.of(List.of(1, 2))));
        assertThat(bench.copy(new Cell(Later.Value.of(null)))).isEqualTo(new Cell(Later.Value.of(null)));
        assertThat(bench.copy(new Cell(null))).isEqualTo(new Cell(null));
        assertThat(bench.copy(nested(KryoSession.MOST_WITHIN - 1))).isEqualTo(nested(KryoSession.MOST_WITHIN - 1));
    }

    @Test
    void theyAreWithinEachOtherToABound() {
        Bench bench = Bench.of(Cell.class, Object.class);

        assertThatThrownBy(() -> bench.copy(nested(KryoSession.MOST_WITHIN)))
                .isInstanceOf(SerialException.class)
                .hasMessageContaining("a later value within 4 others");
    }

    @Test
    void noneGoWhereNoneAreDeclared() {
        Bench bench = Bench.of(Object.class);

        assertThatThrownBy(() -> bench.copy(List.of(Later.Value.of(1))))
                .isInstanceOf(SerialException.class)
                .hasMessageContaining("neither named by the remote interface nor allowed");
    }

    @Test
    void mutatedBytesEndInOneTypedFailure() {
        long seed = Seed.of(LaterValuesTest.class);
        Random random = new Random(seed);
        Bench bench = Bench.of(Cell.class, Object.class);
        ByteBuf good = bench.write(List.of(nested(2), new Cell(Later.Value.of(new int[] {1, 2, 3}))));
        for (int round = 0; round < 10_000; round++) {
            byte[] bytes = new byte[good.readableBytes()];
            good.getBytes(good.readerIndex(), bytes);
            for (int i = random.nextInt(4) + 1; i > 0; i--) {
                bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
            }
            int length = random.nextBoolean() ? bytes.length : random.nextInt(bytes.length);
            try (ValueReader reader = bench.codec().reader(Unpooled.wrappedBuffer(bytes, 0, length), bench.names())) {
                reader.takeObject();
            } catch (SerialException expected) {
                assertThat(expected.getMessage()).isNotNull();
            } catch (Throwable other) {
                throw new AssertionError("seed " + seed + " round " + round, other);
            }
        }
    }
}
