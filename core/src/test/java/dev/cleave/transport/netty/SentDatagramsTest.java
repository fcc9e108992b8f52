package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SentDatagramsTest {

    private static final long MILLI = 1_000_000;

    private final SentDatagrams sent = new SentDatagrams(UnpooledByteBufAllocator.DEFAULT);
    private final List<Long> wire = new ArrayList<>();

    private static ByteBuf bytes(int count) {
        return Unpooled.buffer().writeZero(count);
    }

    private void send(long now) {
        sent.send(now, each -> wire.add(each.number()));
    }

    @AfterEach
    void letAllGo() {
        sent.came(sent.last(), 0);
    }

    @Test
    void waitsTwiceAsLongEachTimeAndThenGivesUp() {
        sent.take(bytes(10), 1);
        send(0);
        long at = 0;
        long patience = sent.patience();
        for (int tries = 1; tries < SentDatagrams.MOST_TRIES; tries++) {
            long due = at + (patience << (tries - 1));
            assertThat(sent.sendAgain(due - 1, each -> wire.add(each.number()))).isFalse();
            assertThat(wire).hasSize(tries);
            assertThat(sent.sendAgain(due, each -> wire.add(each.number()))).isFalse();
            assertThat(wire).hasSize(tries + 1);
            at = due;
        }
        assertThat(sent.sendAgain(at + (patience << (SentDatagrams.MOST_TRIES - 1)), each -> wire.add(each.number())))
                .isTrue();
        assertThat(wire).hasSize(SentDatagrams.MOST_TRIES);
    }

    @Test
    void learnsHowLongARoundTripTakes() {
        for (int i = 1; i <= 100; i++) {
            sent.take(bytes(10), 1);
            send(i * 1000 * MILLI);
            sent.came(i, i * 1000 * MILLI + 100 * MILLI);
        }
        assertThat(sent.patience()).isBetween(190 * MILLI, 210 * MILLI);

        for (int i = 101; i <= 200; i++) {
            sent.take(bytes(10), 1);
            send(i * 1000 * MILLI);
            sent.came(i, i * 1000 * MILLI + MILLI / 20);
        }
        assertThat(sent.patience()).isEqualTo(SentDatagrams.LEAST_PATIENCE);
    }

    @Test
    void takesNoMoreThanTheWindowWhichLossesMakeSmaller() {
        int taken = 0;
        while (sent.take(bytes(SentDatagrams.MOST_BYTES), 1)) {
            taken++;
        }
        assertThat(taken).isEqualTo(SentDatagrams.WINDOW);
        send(0);
        sent.sendAgain(1000 * MILLI, each -> {});
        sent.came(8, 1000 * MILLI);

        assertThat(sent.take(bytes(10), 1)).isFalse();

        sent.came(SentDatagrams.WINDOW, 1000 * MILLI);
        assertThat(sent.take(bytes(10), 1)).isTrue();
    }

    @Test
    void takesNoFrameThatDoesNotFit() {
        ByteBuf large = bytes(SentDatagrams.MOST_BYTES + 1);

        assertThat(sent.take(large, 1)).isFalse();
        assertThat(large.refCnt()).isEqualTo(1);
        assertThat(sent.isEmpty()).isTrue();
    }
}
