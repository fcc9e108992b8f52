package dev.cleave.transport.netty;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class KernelWaitTest {

    private final KernelWait wait = new KernelWait();

    @Test
    void nothingIsLentWhileTheDriverIsAtWork() {
        assertThat(wait.borrow()).isFalse();
        wait.begin();
        wait.end();
        assertThat(wait.borrow()).isFalse();
    }

    @Test
    void oneBorrowsAtATime() {
        wait.begin();

        assertThat(wait.borrow()).isTrue();
        assertThat(wait.borrow()).isFalse();
        wait.giveBack();
        assertThat(wait.borrow()).isTrue();
        wait.giveBack();
        wait.end();
    }

    @Test
    void driverGoesOnWhenItsRightIsBack() throws InterruptedException {
        wait.begin();
        assertThat(wait.borrow()).isTrue();
        AtomicBoolean goesOn = new AtomicBoolean();
        Thread driver = new Thread(() -> {
            wait.end();
            goesOn.set(true);
        });
        driver.start();
        await().until(() -> driver.getState() == Thread.State.WAITING);

        assertThat(goesOn).isFalse();
        wait.giveBack();

        driver.join();
        assertThat(goesOn).isTrue();
        assertThat(wait.borrow()).isFalse();
    }

    @Test
    void anInterruptIsKeptForAfterwards() throws InterruptedException {
        wait.begin();
        assertThat(wait.borrow()).isTrue();
        AtomicBoolean interrupted = new AtomicBoolean();
        Thread driver = new Thread(() -> {
            wait.end();
            interrupted.set(Thread.interrupted());
        });
        driver.start();
        driver.interrupt();
        await().until(() -> !driver.isInterrupted()); // taken while it waits

        wait.giveBack();

        driver.join();
        assertThat(interrupted).isTrue();
    }

    @Test
    void whoBorrowsAndWhoDrivesAreNeverAtWorkTogether() throws InterruptedException {
        AtomicInteger working = new AtomicInteger();
        AtomicInteger borrowed = new AtomicInteger();
        AtomicReference<String> problem = new AtomicReference<>();
        AtomicBoolean over = new AtomicBoolean();
        Runnable work = () -> {
            if (working.incrementAndGet() != 1) {
                problem.set("two at work");
            }
            working.decrementAndGet();
        };
        Thread[] others = new Thread[2];
        for (int i = 0; i < others.length; i++) {
            others[i] = new Thread(() -> {
                while (!over.get()) {
                    if (wait.borrow()) {
                        work.run();
                        borrowed.incrementAndGet();
                        wait.giveBack();
                    }
                    Thread.yield();
                }
            });
            others[i].start();
        }
        for (int round = 0; round < 500 || borrowed.get() < 500; round++) {
            wait.begin();
            Thread.yield();
            wait.end();
            work.run();
        }
        over.set(true);
        for (Thread each : others) {
            each.join();
        }
        assertThat(problem).hasValue(null);
    }
}
