package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.Seed;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class ReplyRingTest {

    private final AtomicLong all = new AtomicLong();
    private final ReplyRing ring = new ReplyRing(all);

    private record Reply(long id, byte[] bytes) {}

    private static ByteBuf frame(byte[] bytes) {
        return Unpooled.buffer().writeInt(-1).writeBytes(bytes).skipBytes(Integer.BYTES);
    }

    @Test
    void whatItHasIsWhatWasPutInAndTheLatestIsThereWhateverTheirLengths() {
        long seed = Seed.of(ReplyRingTest.class);
        Random random = new Random(seed);
        Deque<Reply> put = new ArrayDeque<>();
        long settled = 0;
        for (int id = 1; id <= 20_000; id++) {
            byte[] bytes = new byte[random.nextInt(100) == 0 ? random.nextInt(ReplyRing.LONGEST) : random.nextInt(90)];
            random.nextBytes(bytes);
            ByteBuf frame = frame(bytes);
            ring.add(id, frame, id % 7);
            assertThat(frame.readableBytes()).isEqualTo(bytes.length);
            put.addLast(new Reply(id, bytes));
            if (random.nextInt(3_000) == 0) {
                settled = id - random.nextInt(Math.min(id, 50));
                ring.settled(settled);
            }
            while (put.size() > 40) {
                put.removeFirst();
            }
            Reply one = random.nextBoolean() ? put.getLast() : put.getFirst();
            ReplyRing.Kept kept = ring.find(one.id());
            if (kept != null) {
                assertThat(ByteBufUtil.getBytes(kept.reply()))
                        .as("seed %s", seed)
                        .isEqualTo(one.bytes());
                assertThat(kept.highestType()).isEqualTo((int) one.id() % 7);
            } else {
                assertThat(one == put.getLast() && one.id() >= settled)
                        .as("call %s is gone, seed %s", one.id(), seed)
                        .isFalse();
            }
        }
        assertThat(ring.capacity()).isBetween(4096, ReplyRing.MOST_BYTES);
        assertThat(all).hasValue(ring.capacity());
    }

    @Test
    void growsToItsBoundAndNoFurther() {
        for (int id = 1; id <= 3_000; id++) {
            ring.add(id, frame(new byte[1000]), -1);
        }

        assertThat(ring.capacity()).isEqualTo(ReplyRing.MOST_BYTES);
        assertThat(ring.find(1)).isNull();
        assertThat(ring.find(3_000)).isNotNull();
    }

    @Test
    void staysSmallWhereTheCallerSaysWhatItHas() {
        for (int id = 1; id <= 100_000; id++) {
            ring.add(id, frame(new byte[24]), -1);
            if (id % 256 == 0) {
                ring.settled(id);
            }
        }

        assertThat(ring.capacity()).isLessThanOrEqualTo(16 << 10);
    }

    @Test
    void allRingsTogetherHaveABound() {
        all.set(ReplyRing.MOST_BYTES_OF_ALL);

        ring.add(1, frame(new byte[10]), -1);

        assertThat(ring.find(1)).isNull();
        assertThat(ring.capacity()).isZero();
    }

    @Test
    void repliesThatAreTooLongAreNotKept() {
        ring.add(1, frame(new byte[ReplyRing.LONGEST + 1]), -1);
        ring.add(2, frame(new byte[ReplyRing.LONGEST]), -1);

        assertThat(ring.find(1)).isNull();
        assertThat(ring.find(2)).isNotNull();
    }

    @Test
    void givesItsRoomBackAndTakesNoneAgain() {
        ring.add(1, frame(new byte[10]), -1);

        ring.close();
        ring.add(2, frame(new byte[10]), -1);

        assertThat(all).hasValue(0);
        assertThat(ring.find(1)).isNull();
        assertThat(ring.find(2)).isNull();
    }
}
