package dev.cleave.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class WorkersTest {

    @Test
    void anErrorEndsNeitherAWorkerNorItsSlot() throws InterruptedException {
        AtomicInteger looks = new AtomicInteger();
        CountDownLatch again = new CountDownLatch(1);
        Workers workers = new Workers("test", 1, worker -> {
            if (looks.incrementAndGet() <= 4) {
                throw new NoClassDefFoundError("expected by the test");
            }
            again.countDown();
            return false;
        });
        workers.start();

        workers.wake();

        assertThat(again.await(10, TimeUnit.SECONDS)).isTrue();
        workers.close();
    }
}
