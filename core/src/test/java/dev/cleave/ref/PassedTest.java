package dev.cleave.ref;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.cleave.testing.FakeTimer;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
class PassedTest {

    private final FakeTimer timer = new FakeTimer();
    private final Passed passed = new Passed(timer);

    private WeakReference<Object> keepOne() {
        Object stub = new Object();
        passed.keep(stub);
        return new WeakReference<>(stub);
    }

    private static void awaitCollected(WeakReference<Object> reference) {
        await().atMost(Duration.ofSeconds(60))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> {
                    System.gc();
                    return reference.get() == null;
                });
    }

    @Test
    void keepsAStubForAMinute() {
        WeakReference<Object> one = keepOne();
        timer.advance(Duration.ofSeconds(59));
        WeakReference<Object> two = keepOne();
        System.gc();
        assertThat(one.get()).isNotNull();

        timer.advance(Duration.ofSeconds(1));

        awaitCollected(one);
        assertThat(two.get()).isNotNull();
        timer.advance(Duration.ofSeconds(59));
        awaitCollected(two);
    }

    @Test
    void keepsABoundedNumber() {
        List<WeakReference<Object>> all = new ArrayList<>();
        for (int i = 0; i < Passed.MOST + 1; i++) {
            all.add(keepOne());
        }

        awaitCollected(all.get(0));
        assertThat(all.get(1).get()).isNotNull();
    }
}
