package dev.cleave.replica;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RetryBudgetTest {

    private final AtomicLong now = new AtomicLong(5);
    private final RetryBudget budget = new RetryBudget(now::get, new Random(1));

    @Test
    void aBurstGoesAtOnceAndWhatIsMoreWaitsItsTurn() {
        for (int i = 0; i < RetryBudget.BURST; i++) {
            assertThat(budget.take(1)).isZero();
        }

        assertThat(budget.take(1)).isEqualTo(1_000_000_000L / RetryBudget.PER_SECOND);
        assertThat(budget.take(1)).isEqualTo(2_000_000_000L / RetryBudget.PER_SECOND);
    }

    @Test
    void itFillsWithTimeAndNeverBeyondTheBurst() {
        for (int i = 0; i < RetryBudget.BURST; i++) {
            budget.take(1);
        }
        now.addAndGet(1_000_000_000L);
        for (int i = 0; i < RetryBudget.PER_SECOND; i++) {
            assertThat(budget.take(1)).isZero();
        }
        assertThat(budget.take(1)).isPositive();

        now.addAndGet(3_600_000_000_000L);
        for (int i = 0; i < RetryBudget.BURST; i++) {
            assertThat(budget.take(1)).isZero();
        }
        assertThat(budget.take(1)).isPositive();
    }

    @Test
    void laterAttemptsWaitForARandomPartOfAPauseThatDoubles() {
        assertThat(budget.take(2)).isBetween(1L, 10_000_000L);
        assertThat(budget.take(3)).isBetween(1L, 20_000_000L);
        assertThat(budget.take(60)).isBetween(1L, 320_000_000L);
    }
}
