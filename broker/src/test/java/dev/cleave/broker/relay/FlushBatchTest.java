package dev.cleave.broker.relay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.testing.FakeConnection;
import dev.cleave.testing.FakeTimer;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class FlushBatchTest {

    private final FakeTimer timer = new FakeTimer();
    private final FakeConnection one = new FakeConnection("one");
    private final FakeConnection two = new FakeConnection("two");
    private final FlushBatch batch = new FlushBatch(timer::nanos);

    @Test
    void eachConnectionIsFlushedOnceAtTheEndOfARead() {
        batch.onFrame();
        batch.add(one);
        batch.add(two);
        batch.add(one);
        batch.add(null);
        batch.flushOutsideRead();
        assertThat(one.flushes).isZero();

        batch.end();

        assertThat(one.flushes).isEqualTo(1);
        assertThat(two.flushes).isEqualTo(1);
        batch.end();
        assertThat(one.flushes).isEqualTo(1);
    }

    @Test
    void aTaskBetweenReadsFlushesAtOnce() {
        batch.onFrame();
        batch.end();

        batch.add(one);
        batch.flushOutsideRead();

        assertThat(one.flushes).isEqualTo(1);
    }

    @Test
    void theAgeIsThatOfTheFirstFrame() {
        batch.onFrame();
        timer.advance(Duration.ofMillis(2));
        batch.onFrame();
        timer.advance(Duration.ofMillis(1));
        assertThat(batch.ageNanos()).isEqualTo(3_000_000);

        batch.end();
        batch.onFrame();
        assertThat(batch.ageNanos()).isZero();
    }
}
