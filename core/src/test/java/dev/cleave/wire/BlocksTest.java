package dev.cleave.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.cleave.testing.Seed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BlocksTest {

    /** Nobody has to release these. */
    private static final ByteBufAllocator HEAP = new UnpooledByteBufAllocator(false);

    private static final List<Blocks> LIST = List.of(new Blocks('D', 64 << 20), new Blocks('O', 1L << 29));

    @Test
    void aReplyKeepsItsResultBesideTheList() {
        ByteBuf frame = new Reply(3, 9).begin(HEAP, 64).writeInt(42);
        Blocks.put(LIST, frame);
        Header.finish(frame);

        assertThat(Blocks.follow(frame)).isTrue();
        assertThat(Reply.read(frame)).isEqualTo(new Reply(3, 9));
        assertThat(Blocks.take(frame)).isEqualTo(LIST);
        assertThat(frame.readInt()).isEqualTo(42);
    }

    @Test
    void framesWithoutAListSayNothingOfOne() {
        ByteBuf frame = new Reply(3, 9).begin(HEAP, 64);
        Blocks.put(List.of(), frame);
        Header.finish(frame);

        assertThat(Blocks.follow(frame)).isFalse();
    }

    @Test
    void whateverTheBytesAreTheListIsReadOrRefused() {
        long seed = Seed.of(BlocksTest.class);
        Random random = new Random(seed);
        for (int i = 0; i < 2_000; i++) {
            byte[] bytes = new byte[random.nextInt(40)];
            random.nextBytes(bytes);
            ByteBuf frame = HEAP.buffer().writeBytes(bytes);
            if (random.nextBoolean()) {
                frame.writeShort(random.nextInt(6));
            }
            try {
                assertThat(Blocks.take(frame)).as("seed %d", seed).isNotEmpty();
            } catch (WireException e) {
                assertThat(e.code()).as("seed %d", seed).isEqualTo(ErrorCode.PROTOCOL);
            }
        }
    }

    @Test
    void lengthsThatTogetherPassALongAreRefused() {
        ByteBuf frame = HEAP.buffer();
        frame.writeByte('B').writeLong(Long.MAX_VALUE);
        frame.writeByte('B').writeLong(1).writeShort(2);

        assertThatThrownBy(() -> Blocks.take(frame)).isInstanceOf(WireException.class);
    }
}
