package dev.cleave.migration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.cleave.metrics.Refusals;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("one-jdk")
final class FencesTest {

    private final Grants.Fences fences = new Grants.Fences();

    @Test
    void ofTwoOwnersTheOlderOneIsRefusedOnceTheNewerOneHasSpoken() {
        assertThat(fences.takes("s", 5)).as("the only one so far").isTrue();
        assertThat(fences.takes("s", 7)).isTrue();
        long before = Refusals.of("migration.fence");

        assertThat(fences.takes("s", 5)).isFalse();
        assertThat(fences.takes("s", 7)).isTrue();

        assertThat(Refusals.of("migration.fence")).isEqualTo(before + 1);
    }

    @Test
    void aTokenThatNoClockCanHaveMadeYetDoesNotStopLaterOnes() {
        AtomicLong now = new AtomicLong(1_000_000);
        Grants.Fences timed = new Grants.Fences(now::get);
        long ahead = now.get() + Grants.Fences.MOST_AHEAD.toMillis();
        long before = Refusals.of("migration.fence");

        assertThat(timed.takes("s", Long.MAX_VALUE)).isFalse();
        assertThat(timed.takes("s", ahead + 1)).isFalse();
        assertThat(Refusals.of("migration.fence")).isEqualTo(before + 2);

        assertThat(timed.takes("s", now.get())).isTrue();
        assertThat(timed.takes("s", ahead)).as("of a clock that is ahead").isTrue();
        now.addAndGet(1);
        assertThat(timed.takes("s", ahead + 1)).isTrue();
    }

    @Test
    void servicesHaveOwnersOfTheirOwn() {
        assertThat(fences.takes("s", 7)).isTrue();
        assertThat(fences.takes("t", 5)).isTrue();
    }

    @Test
    void aBrokerWithoutClusterIsNeverRefused() {
        assertThat(fences.takes("s", 7)).isTrue();
        assertThat(fences.takes("s", 0)).isTrue();
        assertThat(fences.takes("s", 5)).isFalse();
    }
}
