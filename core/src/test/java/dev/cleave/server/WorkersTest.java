package dev.cleave.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.transport.Leading;
import dev.cleave.transport.WaitCondition;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
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

        assertThat(again.await(60, TimeUnit.SECONDS)).isTrue();
        workers.close();
    }

    /** The worker is the current thread; its workers end while it looks for work. */
    @Test
    void aWorkerGivesItsSlotBackAlsoAfterAnError() {
        for (boolean fails : new boolean[] {false, true}) {
            AtomicReference<Workers> all = new AtomicReference<>();
            Workers workers = new Workers("test", 1, worker -> {
                assertThat(all.get().running()).isEqualTo(1);
                all.get().close();
                if (fails) {
                    throw new NoClassDefFoundError("expected by the test");
                }
                return false;
            });
            all.set(workers);

            workers.live(new Worker(workers, "test"));

            assertThat(workers.running()).isZero();
        }
    }

    /** Delivers nothing, and counts. */
    private static final class Silence implements Leading {

        private final Semaphore begun = new Semaphore(0);
        private final Semaphore handedBack = new Semaphore(0);

        @Override
        public boolean lead(WaitCondition work) {
            begun.release();
            while (!work.isDone()) {
                LockSupport.park(this);
            }
            return true;
        }

        @Override
        public void handBack() {
            handedBack.release();
        }

        @Override
        public void recall() {}
    }

    @Test
    void theOnlyWorkerIsRecalledForWorkOfAnotherThread() throws InterruptedException {
        Silence silence = new Silence();
        Semaphore calls = new Semaphore(0);
        Semaphore run = new Semaphore(0);
        Workers workers = new Workers("test", 1, worker -> {
            if (!calls.tryAcquire()) {
                return false;
            }
            worker.ran(silence, 0, 0);
            run.release();
            return true;
        });
        workers.start();

        for (int i = 0; i < 100; i++) {
            calls.release();
            workers.wake();
            assertThat(run.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
            assertThat(silence.begun.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
        }

        workers.close();
        assertThat(silence.handedBack.tryAcquire(10, TimeUnit.SECONDS)).isTrue();
    }
}
