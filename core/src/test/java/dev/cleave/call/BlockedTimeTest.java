package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class BlockedTimeTest {

    private static final long START = -64_000_000; // clocks of the JVM may be negative
    private static final long TICK = 64;

    private final BlockedTime time = new BlockedTime();

    private void waits(long from, long to) {
        time.begins(START + from);
        time.ends(START + to);
    }

    @Test
    void theSpanIsFromTheFirstCallToTheEndOfTheLastWait() {
        time.called(START);
        time.called(START + 10_000);
        waits(6_400, 12_800);
        waits(19_200, 25_600);

        assertThat(time.now().spanNanos()).isBetween(25_600L - 2, 25_600L + 2);
        assertThat(time.now().blockedNanos()).isEqualTo(12_800);
    }

    @Test
    void theTimeOfThreadsThatWaitTogetherCountsOnce() {
        time.called(START);
        time.begins(START + 6_400);
        time.begins(START + 12_800);
        time.ends(START + 19_200);
        time.begins(START + 25_600);
        time.ends(START + 32_000);
        time.ends(START + 38_400);

        assertThat(time.now().blockedNanos()).isEqualTo(32_000);
    }

    @Test
    void callsForWhichNoThreadWaitsHaveNoSpan() {
        assertThat(time.now()).isEqualTo(new BlockedTime.Figures(0, 0));
        time.called(START);
        assertThat(time.now()).isEqualTo(new BlockedTime.Figures(0, 0));
    }

    @Test
    void aWaitOfHoursCountsAndOneThatSeemsToEndBeforeItBeganDoesNot() {
        long hours = 5 * 3_600 * 1_000_000_000L;
        time.called(START);
        waits(6_400, 6_400 + hours);
        waits(12_800 + hours, 6_400 + hours);

        assertThat(time.now().blockedNanos()).isEqualTo(hours / TICK * TICK);
    }

    @Test
    void noThreadIsLostAmongMany() throws InterruptedException {
        int threads = 4;
        CountDownLatch go = new CountDownLatch(1);
        Thread[] all = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            all[i] = new Thread(() -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                for (int n = 0; n < 20_000; n++) {
                    waits(640, 640);
                }
            });
            all[i].start();
        }
        time.called(START);
        go.countDown();
        for (Thread each : all) {
            each.join();
        }

        waits(6_400_000, 12_800_000); // is not counted while another thread seems to wait

        assertThat(time.now().blockedNanos()).isEqualTo(6_400_000);
    }
}
