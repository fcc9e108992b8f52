package dev.cleave.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.FakeTimer;
import dev.cleave.wire.Header;
import dev.cleave.wire.Ping;
import dev.cleave.wire.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DelayLineTest {

    private static final Duration NONE = Duration.ZERO;

    private final FakeTimer timer = new FakeTimer();
    private final long start = timer.nanos();
    private final List<String> out = new ArrayList<>();
    private DelayLine line;

    @Test
    void holdsEachFrameForTheDelay() {
        line(new LinkProfile(Duration.ofMillis(5), 0, NONE));

        line.add(ping(1));
        timer.advance(Duration.ofMillis(2));
        line.add(ping(2));
        timer.advance(Duration.ofSeconds(1));

        assertThat(out).containsExactly("1 at 5000 us", "2 at 7000 us");
    }

    @Test
    void letsFramesInAtTheRateOneBehindTheOther() {
        line(new LinkProfile(Duration.ofMillis(1), 16_000, NONE));

        line.add(ping(1));
        line.add(ping(2));
        timer.advance(Duration.ofSeconds(1));

        assertThat(out).containsExactly("1 at 2000 us", "2 at 3000 us");
    }

    @Test
    void repliesQueueUpBehindEachOther() {
        line(new LinkProfile(NONE, 0, Duration.ofMillis(2)));

        line.add(reply(1));
        line.add(reply(2));
        line.add(ping(3));
        timer.advance(Duration.ofMillis(10));
        line.add(reply(4));
        timer.advance(Duration.ofSeconds(1));

        assertThat(out).containsExactly("1 at 2000 us", "2 at 4000 us", "3 at 4000 us", "4 at 12000 us");
    }

    @Test
    void endComesBehindTheFrames() {
        line(new LinkProfile(NONE, 0, Duration.ofMillis(2)));

        line.add(reply(1));
        line.addEnd();
        timer.advance(Duration.ofSeconds(1));

        assertThat(out).containsExactly("1 at 2000 us", "end at 2000 us");
    }

    @Test
    void needsOneTimeOutHoweverManyFramesTravel() {
        line(new LinkProfile(Duration.ofMillis(5), 0, NONE));

        for (int i = 0; i < 100; i++) {
            line.add(ping(i));
        }

        assertThat(timer.pending()).isEqualTo(1);
        assertThat(line.bytes()).isEqualTo(100 * Header.LENGTH);
        timer.advance(Duration.ofMillis(5));
        assertThat(out).hasSize(100);
        assertThat(line.bytes()).isZero();
    }

    @Test
    void releasesWhatTravels() {
        line(new LinkProfile(Duration.ofMillis(5), 0, NONE));
        ByteBuf frame = ping(1);
        line.add(frame);

        line.release();
        timer.advance(Duration.ofSeconds(1));

        assertThat(frame.refCnt()).isZero();
        assertThat(out).isEmpty();
    }

    private void line(LinkProfile profile) {
        line = new DelayLine(() -> profile, timer, this::empty);
    }

    private void empty() {
        DelayLine.Item item = line.poll();
        while (item != null) {
            long micros = (timer.nanos() - start) / 1_000;
            out.add((item.frame() == null ? "end" : Header.id(item.frame())) + " at " + micros + " us");
            if (item.frame() != null) {
                item.frame().release();
            }
            item = line.poll();
        }
    }

    private static ByteBuf ping(long id) {
        return new Ping(id).write(new UnpooledByteBufAllocator(false));
    }

    private static ByteBuf reply(long id) {
        return new Reply(0, id).write(new UnpooledByteBufAllocator(false));
    }
}
