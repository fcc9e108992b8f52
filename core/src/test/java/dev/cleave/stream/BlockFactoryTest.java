package dev.cleave.stream;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.testing.Seed;
import dev.cleave.wire.Blocks;
import dev.cleave.wire.ErrorCode;
import dev.cleave.wire.WireException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlockFactoryTest {

    private final long seed = Seed.of(BlockFactoryTest.class);
    private final Random random = new Random(seed);

    /** Reads a block in parts of random sizes, and fills another one with them. */
    private Block moved(Block source) {
        Block target = BlockFactory.received(source.announcement());
        long at = 0;
        while (at < source.bytes()) {
            long units = (source.bytes() - at) / source.elementSize();
            int count = source.elementSize() * (1 + random.nextInt((int) Math.min(units, 100)));
            ByteBuf part = Unpooled.buffer();
            source.read(at, count, part);
            assertThat(part.readableBytes()).as("seed %s", seed).isEqualTo(count);
            target.fill(at, count, part);
            at += count;
        }
        return target;
    }

    private double[] doubles(int length) {
        return random.doubles(length).toArray();
    }

    @Test
    void arraysOfAllPrimitivesArriveAsTheyWere() {
        byte[] bytes = new byte[777];
        random.nextBytes(bytes);
        boolean[] flags = {true, false, true};
        long[] longs = random.longs(333).toArray();

        List<Object> arrays = List.of(
                bytes,
                flags,
                longs,
                doubles(1000),
                random.ints(501).toArray(),
                "characters".toCharArray(),
                new short[] {Short.MIN_VALUE, -1, 7},
                new float[] {1.5f, Float.NaN});

        assertThat(arrays).allSatisfy(array -> {
            assertThat(BlockFactory.isArray(array)).isTrue();
            assertThat(moved(BlockFactory.of(array)).array())
                    .as("seed %s", seed)
                    .isEqualTo(array);
        });
    }

    @Test
    void rowsArriveAsTheyWereAndOneArrayStaysOne() {
        for (int round = 0; round < 50; round++) {
            double[][] rows = new double[1 + random.nextInt(20)][];
            for (int i = 0; i < rows.length; i++) {
                rows[i] = switch (random.nextInt(4)) {
                    case 0 -> null;
                    case 1 -> rows[random.nextInt(i + 1)];
                    default -> doubles(random.nextInt(30));
                };
            }

            double[][] moved = (double[][]) moved(BlockFactory.of(rows)).array();

            assertThat(moved).as("seed %s, round %s", seed, round).isDeepEqualTo(rows);
            for (int i = 0; i < rows.length; i++) {
                for (int j = 0; j < i; j++) {
                    assertThat(moved[i] == moved[j])
                            .as("seed %s, round %s", seed, round)
                            .isEqualTo(rows[i] == rows[j]);
                }
            }
        }
    }

    @Test
    void whatIsNoArrayOfPrimitivesIsNoBlock() {
        assertThat(List.of("text", new String[1], new int[1][1][1], List.of())).noneMatch(BlockFactory::isArray);
        assertThat(BlockFactory.isArray(new int[2][])).isTrue();
    }

    @Test
    void aCopyKeepsWhatTheArrayHeld() {
        int[] array = {1, 2, 3, 4};
        Block block = BlockFactory.of(array);
        block.belongsTo(5);

        Block copy = block.copy();
        array[0] = 9;

        assertThat((int[]) moved(copy).array()).containsExactly(1, 2, 3, 4);
        assertThat(copy.announcement()).isEqualTo(new Blocks('I', 16, 5));
        assertThat(copy.isStreamed()).isTrue();
    }

    @Test
    void blocksThatCannotBeAreRefused() {
        assertThat(List.of(new Blocks('X', 8), new Blocks('D', 12), new Blocks('d', 12), new Blocks('B', 1L << 40)))
                .allSatisfy(announced -> assertThatThrownBy(() -> BlockFactory.received(announced))
                        .isInstanceOfSatisfying(
                                WireException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.PROTOCOL)));
    }

    @Test
    void rowsThatDoNotFillTheirBlockAreRefused() {
        Block block = BlockFactory.received(new Blocks('d', 64));

        assertThatThrownBy(() -> block.fill(0, 16, rows(1, 100))).isInstanceOf(WireException.class);
        assertThatThrownBy(() -> BlockFactory.received(new Blocks('d', 64)).fill(0, 16, rows(-1, 0)))
                .isInstanceOf(WireException.class);
        assertThatThrownBy(() -> BlockFactory.received(new Blocks('d', 64)).fill(0, 16, rows(1, -5)))
                .isInstanceOf(WireException.class);
    }

    private static ByteBuf rows(int count, int length) {
        return Unpooled.buffer()
                .writeIntLE(count)
                .writeIntLE(0)
                .writeIntLE(length)
                .writeIntLE(0);
    }

    @Test
    void aForwardedBlockReadsWhatHasArrived() {
        Block arriving = BlockFactory.received(new Blocks('I', 8, 1));
        StreamedValue source = new StreamedValue(1, List.of(arriving));
        Block forwarded = BlockFactory.forwarding(source);
        assertThat(forwarded.readable()).isZero();
        assertThat(forwarded.copy()).as("goes on as it arrives").isSameAs(forwarded);

        arriving.fill(0, 4, Unpooled.buffer().writeIntLE(17));
        source.filled(4);

        ByteBuf part = Unpooled.buffer();
        forwarded.read(0, (int) forwarded.readable(), part);
        assertThat(part.readIntLE()).isEqualTo(17);
        assertThat(forwarded.isMadeElsewhere()).isFalse();
        assertThat(BlockFactory.sources(List.of(arriving, forwarded))).containsExactly(source);
    }
}
