package dev.cleave.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FakeTimerTest {

    private final FakeTimer timer = new FakeTimer();

    @Test
    void runsWhatIsDueAtItsOwnTime() {
        List<String> ran = new ArrayList<>();
        long start = timer.nanos();
        timer.schedule(Duration.ofMillis(2), () -> ran.add("second at " + (timer.nanos() - start)));
        timer.schedule(Duration.ofMillis(1), () -> ran.add("first at " + (timer.nanos() - start)));
        timer.schedule(Duration.ofMillis(9), () -> ran.add("never"));

        timer.advance(Duration.ofMillis(5));

        assertThat(ran).containsExactly("first at 1000000", "second at 2000000");
        assertThat(timer.pending()).isEqualTo(1);
    }
}
