package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.config.Aggregate;
import dev.cleave.testing.FakeTimer;
import dev.cleave.transport.Connection;
import dev.cleave.transport.Endpoint;
import dev.cleave.wire.FrameKind;
import dev.cleave.wire.Header;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class DeparturesTest {

    private static final Duration SOON = Duration.ofNanos(2_000L * Departures.FLUSH_MICROS);

    private final FakeTimer timer = new FakeTimer();
    private final Sent sent = new Sent();
    private final Departures departures = new Departures(sent, timer);

    /** What was written, by the kinds of frames; flushes are counted. */
    private static final class Sent implements Connection {

        private final List<FrameKind> kinds = new ArrayList<>();
        private int flushes;

        @Override
        public ByteBufAllocator allocator() {
            return UnpooledByteBufAllocator.DEFAULT;
        }

        @Override
        public void write(ByteBuf frame) {
            kinds.add(Header.kind(frame));
            frame.release();
        }

        @Override
        public void flush() {
            flushes++;
        }

        @Override
        public boolean isWritable() {
            return true;
        }

        @Override
        public void reading(boolean enabled) {}

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public Endpoint peer() {
            return Endpoint.local("test");
        }

        @Override
        public boolean isClosed() {
            return false;
        }

        @Override
        public void close() {}
    }

    @Test
    void theServerIsToldOfAllWhoAreBlockedAtOnceAndThenTheTimerRests() {
        departures.tellAwaited(1);
        departures.tellAwaited(2);

        assertThat(timer.pending()).isEqualTo(1);
        timer.advance(SOON);
        assertThat(sent.kinds).containsExactly(FrameKind.AWAITED);
        assertThat(sent.flushes).isEqualTo(1);
        assertThat(timer.pending()).isZero();
    }

    @Test
    void whoIsBlockedAfterwardsIsToldOfToo() {
        departures.tellAwaited(1);
        timer.advance(SOON);

        departures.tellAwaited(2);
        timer.advance(SOON);

        assertThat(sent.kinds).containsExactly(FrameKind.AWAITED, FrameKind.AWAITED);
        assertThat(timer.pending()).isZero();
    }

    @Test
    void whatWasDeferredIsSentAndTheTimerComesAgainForAWhile() {
        departures.flushSoon();
        assertThat(sent.flushes).isZero();

        departures.tellAwaited(1);
        departures.flush();
        departures.tellAwaited(2);
        timer.advance(Duration.ofNanos(1_000L * Departures.FLUSH_MICROS));
        assertThat(sent.flushes).isEqualTo(2);

        timer.advance(Duration.ofMillis(100));
        assertThat(timer.pending()).isZero();
        assertThat(sent.flushes).isEqualTo(2);
    }

    private void advanceTicks(int count) {
        timer.advance(Duration.ofNanos(1_000L * Departures.FLUSH_MICROS).multipliedBy(count));
    }

    @Test
    void theTimerTicksLessOftenWhileItHasNothingToFlush() {
        Aggregate much = new Aggregate(1 << 20, Duration.ofMillis(100)); // stays buffered, so the timer goes on
        departures.gathered(1, much);
        departures.tellAwaited(1);
        advanceTicks(1);
        assertThat(sent.flushes).isEqualTo(1);
        departures.gathered(1, much);
        advanceTicks(16);

        departures.tellAwaited(2);
        advanceTicks(3);
        assertThat(sent.flushes).isEqualTo(1);
        advanceTicks(1);
        assertThat(sent.flushes).isEqualTo(2);
        departures.gathered(1, much);
        departures.tellAwaited(3);
        advanceTicks(1);
        assertThat(sent.flushes).isEqualTo(3);
    }

    /** Writes replies of a size, one after each time, and returns how many flushes there were for a hundred of them. */
    private int flushesOfAHundred(int bytes, Duration apart) {
        for (int i = 0; i < 100; i++) {
            departures.gathered(bytes, Aggregate.MEASURED);
            timer.advance(apart);
        }
        int before = sent.flushes;
        for (int i = 0; i < 100; i++) {
            departures.gathered(bytes, Aggregate.MEASURED);
            timer.advance(apart);
        }
        return sent.flushes - before;
    }

    @Test
    void framesThatComeNowAndThenAreSentAtOnce() {
        assertThat(flushesOfAHundred(50, Duration.ofMillis(5))).isEqualTo(100);
    }

    @Test
    void aSeriesOfSmallFramesIsGatheredForFiftyMicroseconds() {
        assertThat(flushesOfAHundred(50, Duration.ofNanos(5_000))).isBetween(8, 11);
    }

    @Test
    void muchDataIsGatheredInLargeParts() {
        assertThat(flushesOfAHundred(8 << 10, Duration.ofNanos(5_000))).isBetween(11, 13); // of eight each
    }

    @Test
    void whatIsGatheredFollowsTheFrames() {
        assertThat(flushesOfAHundred(8 << 10, Duration.ofNanos(5_000))).isLessThan(20);
        assertThat(flushesOfAHundred(8 << 10, Duration.ofMillis(1))).isEqualTo(100);
        assertThat(flushesOfAHundred(20, Duration.ofNanos(2_000))).isLessThan(10);
    }
}
