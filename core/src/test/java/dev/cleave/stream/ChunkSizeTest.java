package dev.cleave.stream;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ChunkSizeTest {

    private static final int CREDIT = 512 << 10;

    private final ChunkSize size = new ChunkSize(() -> "link");

    /** Credit comes back as it does from a link of that rate. */
    private void credits(int count, long bytesPerSecond) {
        for (int i = 0; i < count; i++) {
            size.moved(CREDIT, CREDIT * TimeUnit.SECONDS.toNanos(1) / bytesPerSecond);
        }
    }

    @Test
    void isLargestOnAFastLinkAfterAFewCredits() {
        size.answered(100_000);
        credits(3, 1_000_000_000L);

        assertThat(size.bytes()).isEqualTo(ChunkSize.MOST).isEqualTo(256 << 10);
    }

    @Test
    void isLeastOnASlowLinkAfterAFewCredits() {
        size.answered(60_000_000);
        credits(3, 125_000);

        assertThat(size.bytes()).isEqualTo(ChunkSize.LEAST).isEqualTo(4 << 10);
    }

    @Test
    void occupiesTheLinkForAPartOfTheRoundTrip() {
        size.answered(8_000_000);
        credits(10, 6_000_000);

        assertThat(size.bytes()).isEqualTo(16 << 10); // 2 ms are 12,000 bytes
    }

    @Test
    void movesAStepAtATime() {
        credits(1, 1_000_000_000L);
        assertThat(size.bytes()).isEqualTo(2 * ChunkSize.FIRST);
        credits(1, 125_000);
        assertThat(size.bytes()).isEqualTo(ChunkSize.FIRST);
    }

    @Test
    void followsALinkThatBecomesFast() {
        credits(10, 125_000);
        credits(16, 1_000_000_000L);

        assertThat(size.bytes()).isEqualTo(ChunkSize.MOST);
    }

    @Test
    void staysAsItIsWhileTheRateVariesALittle() {
        credits(10, 96_000_000);
        int chosen = size.bytes();
        Random random = new Random(1);
        for (int i = 0; i < 1_000; i++) {
            credits(1, 70_000_000 + random.nextInt(50_000_000));
            assertThat(size.bytes()).isEqualTo(chosen);
        }
    }

    @Test
    void isWithinItsBoundsWhateverIsMeasured() {
        Random random = new Random(2);
        for (int i = 0; i < 10_000; i++) {
            size.answered(random.nextInt());
            size.moved(random.nextInt(1 << 20), random.nextLong() >>> random.nextInt(64));
            assertThat(size.bytes()).isBetween(ChunkSize.LEAST, ChunkSize.MOST);
            assertThat(Integer.bitCount(size.bytes())).isOne();
        }
    }
}
