package dev.cleave.call;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeferredTest {

    private final Deferred deferred = new Deferred();

    @Test
    void whatIsSaidToBeGatheredStaysUntilThereIsEnough() {
        for (int id = 1; id < 100; id++) {
            assertThat(deferred.mustGoWith(id, 10, 1_000)).isFalse();
        }

        assertThat(deferred.mustGoWith(100, 10, 1_000)).isTrue();
    }

    @Test
    void itGoesWhenOneOfItIsAwaitedAndStaysWhenAnotherIs() {
        deferred.mustGoWith(7, 10, 1_000);
        deferred.mustGoWith(8, 10, 1_000);

        assertThat(deferred.mustGoFor(6, 2)).isFalse();
        assertThat(deferred.isOverdue()).isFalse();
        assertThat(deferred.mustGoFor(7, 2)).isTrue();
    }

    @Test
    void whatWaitsWithOthersGoesAsTheyDo() {
        deferred.mustGoWith(7, 10, 1_000);
        deferred.mustGoWith(8, 10, false);

        assertThat(deferred.mustGoFor(6, 2)).isTrue(); // half of what is under way
        deferred.sent();
        assertThat(deferred.mustGoFor(6, 2)).isFalse();
        deferred.mustGoWith(9, 10, 1_000);
        assertThat(deferred.mustGoFor(6, 2)).isFalse();
    }

    @Test
    void theFirstOfABurstGoesAtOnceUnlessItIsSaidToBeGathered() {
        assertThat(new Deferred().mustGoWith(1, 10, true)).isTrue();
        assertThat(new Deferred().mustGoWith(1, 10, 1_000)).isFalse();
        assertThat(new Deferred().mustGoWith(1, 10, 10)).isTrue();
    }
}
